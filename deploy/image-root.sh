#!/bin/sh
# Usage: image-root.sh BUILD FOLDER
# Writes the root file system of the image into FOLDER: the built Terse, this system's Node, and the libraries they need.
set -eu
build=$1
root=$2
umask 022
mkdir -p "$root/bin" "$root/etc" "$root/opt" "$root/usr/local/bin" "$root/usr/lib/locale" "$root/usr/share/doc"
mkdir -m 1777 "$root/tmp"
mkdir "$root/data"

# Copies the system's libraries that a program loads.
libraries_of() {
  ldd "$1" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }' | while read -r library; do
    case $library in "$build"/* | "$PWD/$build"/*) continue ;; esac
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
}

cp -a "$build" "$root/opt/terse"
find "$root/opt/terse" -name '*.map' -delete
chmod -R a+rX "$root/opt/terse"
sed -i '1s|.*|#!/usr/local/bin/node|' "$root/opt/terse/terse.js"
ln -s /opt/terse/terse.js "$root/usr/local/bin/terse"

# Without the symbols for debuggers, where binutils are installed.
node=$(readlink -f "$(command -v node)")
if command -v strip >/dev/null; then strip -o "$root/usr/local/bin/node" "$node"; else cp "$node" "$root/usr/local/bin/node"; fi
libraries_of "$root/usr/local/bin/node"

# The embedded PostgreSQL creates its database with a shell and this locale.
if [ -d "$build/postgres" ]; then
  cp -L /bin/sh "$root/bin/sh"
  cp -r /usr/lib/locale/C.utf8 "$root/usr/lib/locale/"
  for program in /bin/sh "$build"/postgres/*/native/bin/*; do libraries_of "$program"; done
fi

printf '%s\n' 'root:x:0:0::/:/bin/sh' 'terse:x:10001:10001::/data:/bin/sh' >"$root/etc/passwd"
printf '%s\n' 'root:x:0:' 'terse:x:10001:' >"$root/etc/group"
printf '%s\n' 'hosts: files dns' >"$root/etc/nsswitch.conf"
for package in dash libc6 libgcc-s1 libstdc++6; do
  license=/usr/share/doc/$package/copyright
  if [ -e "$license" ]; then cp -L "$license" "$root/usr/share/doc/$package"; fi
done
if [ -e /usr/local/LICENSE ]; then cp /usr/local/LICENSE "$root/usr/share/doc/node"; fi
chown -R 10001:10001 "$root/data"
