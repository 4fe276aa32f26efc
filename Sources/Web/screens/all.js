// Which screen each address shows.
import { about, notFound } from "./about/about.js";
import { blocked } from "./blocked/blocked.js";
import { camera } from "./camera/camera.js";
import { code } from "./code/code.js";
import { data } from "./data/data.js";
import { devices } from "./devices/devices.js";
import { group } from "./group/group.js";
import { groupSettings } from "./group-settings/group-settings.js";
import { home } from "./groups/groups.js";
import { invites } from "./invites/invites.js";
import { join } from "./join/join.js";
import { name } from "./name/name.js";
import { newGroup } from "./new-group/new-group.js";
import { phone } from "./phone/phone.js";
import { settings } from "./settings/settings.js";
import { queue } from "./uploads/uploads.js";
import { viewer } from "./viewer/viewer.js";
import { welcome } from "./welcome/welcome.js";

/** @type {import("../app/router.js").Screens} */
export const screens = {
  home,
  welcome,
  "sign-in": phone,
  code,
  name,
  invites,
  join,
  "new-group": newGroup,
  group,
  camera,
  viewer,
  "group-settings": groupSettings,
  settings,
  devices,
  blocked,
  data,
  uploads: queue,
  about,
  "not-found": notFound,
};
