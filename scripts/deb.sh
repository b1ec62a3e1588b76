#!/bin/sh
# Packs a binary for Debian and prints the path of the package:
#   scripts/deb.sh <binary> <folder for the package> [options of dpkg-deb]
# `make deb` packs one of the profile `dist`. What the package installs and does stands in ops/debian.
set -eu
cd "$(dirname "$0")/.."

binary=${1:?which binary?}
out=${2:?into which folder?}
shift 2
command -v dpkg-deb >/dev/null || {
    echo "scripts/deb.sh: dpkg-deb is missing; it is a part of Debian" >&2
    exit 1
}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
architecture=$(dpkg --print-architecture)
# The newest symbols of glibc that the binary asks for.
glibc=$(readelf --version-info "$binary" | grep -o 'GLIBC_[0-9.]*' | sort -u -V | tail -n 1 | cut -d _ -f 2)

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
doc=$root/usr/share/doc/lectern
install -D -m 755 "$binary" "$root/usr/bin/lectern"
install -D -m 640 ops/debian/lectern.env "$root/etc/lectern/lectern.env"
install -d "$root/usr/lib/systemd/system" "$doc"
# The first lines of the unit say how to install it by hand.
sed '1,/^$/d; s#/usr/local/bin/lectern#/usr/bin/lectern#' ops/lectern.service >"$root/usr/lib/systemd/system/lectern.service"
install -m 644 README.md docs/*.md "$doc"
printf 'Lectern is distributed under the MIT licence. What it contains of others, with their licences, is shown by a running server at /licenses.\n' >"$doc/copyright"

install -d "$root/DEBIAN"
install -m 755 ops/debian/postinst ops/debian/prerm ops/debian/postrm "$root/DEBIAN"
install -m 644 ops/debian/conffiles "$root/DEBIAN"
size=$(du -sk --exclude DEBIAN "$root" | cut -f 1)
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/; s/@GLIBC@/$glibc/" ops/debian/control >"$root/DEBIAN/control"

mkdir -p "$out"
package=$out/lectern_${version}_$architecture.deb
dpkg-deb "$@" --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
