/** The modules of a first page, which a package has joined in this file: the program, and the screens that people see first. */

import "./screens/welcome/welcome.js";
import "./screens/groups/groups.js";
import "./app/main.js";
