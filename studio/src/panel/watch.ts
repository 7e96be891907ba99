// A page of `run --watch` looks for a newer one of itself and loads that, at the same moment and view.
import { linkToMoment } from "./view_tools";
import type { Player } from "./player";
import type { Stage } from "../view/stage";

const kPause = 1000; // ms
const kFile = "report-stamp.js";

declare global {
  interface Window {
    reposeStamp?: string;
  }
}

export function watchForNewer(stamp: string, player: Player, stage: Stage): void {
  setInterval(() => {
    const script = document.createElement("script");
    script.src = `${kFile}?${Date.now()}`;
    script.addEventListener("load", () => {
      script.remove();
      if (!window.reposeStamp || window.reposeStamp === stamp) return;
      // the eye stays; of a new run the end is shown
      history.replaceState(null, "", linkToMoment(player, stage).replace(/frame=\d+&/, ""));
      location.reload();
    });
    // the next run is under way
    script.addEventListener("error", () => script.remove());
    document.head.append(script);
  }, kPause);
}
