"""CAPTCHA panels: laid out in whole CSS px, painted by the raster kit from a page's tokens.

A panel belongs to a page through its token set and its surface (card, sheet
or flat). The layout decides where everything is before anything is painted;
labels, regions and pixels all read the same boxes. No browser takes part: any
class can ask for any panel without a bank having to be painted again.
"""

from factory.draw.panels.layout import PanelLayout, Surface, lay_out_panel
from factory.draw.panels.paint import paint_chrome, paint_controls

__all__ = ["PanelLayout", "Surface", "lay_out_panel", "paint_chrome", "paint_controls"]
