// The player's page, without rules: what somebody chooses from comes from the aid of the host's program.

import { openPage } from "./opening.mjs";

openPage();
