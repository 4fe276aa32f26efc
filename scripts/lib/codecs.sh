# shellcheck shell=bash
# Libraries that photo-worker is built with: the reference codecs, colour management and the system call filter.
# Source it; it expects `set -euo pipefail` and Bash 5.

# shellcheck source=scripts/lib/common.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"

# codecs_install: the Debian packages that CImageCodecs and CSandbox compile and link against.
codecs_install() {
    apt_install_missing libjpeg-dev libpng-dev libheif-dev libwebp-dev liblcms2-dev libseccomp-dev
}
