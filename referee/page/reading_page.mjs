// A game's page: one file with one game in it, for reading.

import { openReading } from "./reading.mjs";

openReading();
