// The player's page with the rules.

import { openPage } from "./opening.mjs";
import { ruledBy } from "./ruled.mjs";

openPage(ruledBy);
