// The service fills in the version and the list of files.
import { start } from "/app/{{version}}/worker/start.js";

start({ version: "{{version}}", precache: "{{precache}}" });
