"""Draws the PNG icons from their SVGs. Called by scripts/icons."""

from pathlib import Path

from playwright.sync_api import sync_playwright

ICONS = Path(__file__).resolve().parents[2] / "Sources/Web/icons"
PAPER = "#faf6f0"
# name: (drawing, side, scale of the drawing, background). A platform that cuts its own shape gets a full background, and
# room around the drawing: a maskable icon may lose everything outside of a circle of 80 %.
TARGETS = {
    "icon-192.png": ("icon.svg", 192, 1.0, None),
    "icon-512.png": ("icon.svg", 512, 1.0, None),
    "maskable-512.png": ("icon.svg", 512, 0.86, PAPER),
    "apple-touch-icon.png": ("icon.svg", 180, 0.96, PAPER),
    "monochrome.png": ("monochrome.svg", 192, 1.0, None),
}


def page_of(drawing, side, scale, background):
    svg = (ICONS / drawing).read_text()
    if background:
        # The full background replaces the rounded paper.
        svg = svg.replace('id="paper"', 'id="paper" display="none"')
    style = f"margin:0;width:{side}px;height:{side}px;display:grid;place-items:center;background:{background or 'none'}"
    size = f"<style>svg{{width:{side * scale}px;height:{side * scale}px}}</style>"
    return f"<!doctype html><html><body style='{style}'>{size}{svg}</body></html>"


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        page = browser.new_page()
        for name, (drawing, side, scale, background) in TARGETS.items():
            page.set_viewport_size({"width": side, "height": side})
            page.set_content(page_of(drawing, side, scale, background))
            page.screenshot(path=ICONS / name, omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
