"""Both outputs by Pillow as its documentation advises: draft mode, Lanczos, upright, sRGB, one decode.

pillow_photo.py INPUT PHOTO THUMBNAIL
"""

import io
import sys

from PIL import Image, ImageCms, ImageOps

PHOTO_EDGE, THUMBNAIL_EDGE, QUALITY = 2048, 480, 80

source, photo_path, thumbnail_path = sys.argv[1:]
if source.endswith(".heic"):
    from pillow_heif import register_heif_opener

    register_heif_opener()

picture = Image.open(source)
profile = picture.info.get("icc_profile")
# Draft mode for JPEG comes with it.
picture.thumbnail((PHOTO_EDGE, PHOTO_EDGE), Image.Resampling.LANCZOS)
ImageOps.exif_transpose(picture, in_place=True)
if profile:
    picture = ImageCms.profileToProfile(
        picture, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"), outputMode="RGB"
    )
elif picture.mode != "RGB":
    picture = picture.convert("RGB")
picture.save(photo_path, "JPEG", quality=QUALITY, optimize=True)
picture.thumbnail((THUMBNAIL_EDGE, THUMBNAIL_EDGE), Image.Resampling.LANCZOS)
picture.save(thumbnail_path, "JPEG", quality=QUALITY, optimize=True)
