// A game's page with the rules: they judge the game, and tell and draw it once more.

import { openReading } from "./reading.mjs";
import { retelling } from "./retelling.mjs";

openReading(retelling);
