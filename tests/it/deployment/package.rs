//! The package for Debian (`make deb`), of the binary under test.

use lectern::config::{Config, Environment};
use nix::unistd::Uid;
use std::{ffi::OsStr, os::unix::fs::PermissionsExt};
use support::{binary, prelude::*};

/// Not compressed, which would take half a minute.
fn packed(folder: &Scratch) -> PathBuf {
    let script = tools::repository("scripts/deb.sh");
    let path = tools::printed(tools::run(&script, [binary::lectern().as_os_str(), folder.path().as_os_str(), "-Znone".as_ref()]));
    path.trim().into()
}

fn dpkg_deb(arguments: &[&OsStr]) -> String {
    tools::printed(tools::run(Path::new("dpkg-deb"), arguments))
}

#[test]
fn it_holds_the_binary_its_unit_and_settings_that_the_server_reads() {
    let folder = scratch();
    let package = packed(&folder);
    let fields = dpkg_deb(&["--field".as_ref(), package.as_ref()]);
    assert!(fields.contains("Package: lectern\n"), "{fields}");
    let depends = fields.lines().find_map(|line| line.strip_prefix("Depends: ")).unwrap();
    assert!(depends.split(", ").any(|one| one == "postgresql") && depends.contains("libc6 (>= 2."), "{depends}");

    let root = folder.path().join("root");
    dpkg_deb(&["--extract".as_ref(), package.as_ref(), root.as_ref()]);
    assert_eq!(fs::read(root.join("usr/bin/lectern")).unwrap(), fs::read(binary::lectern()).unwrap());
    let settings = root.join("etc/lectern/lectern.env");
    assert_eq!(fs::metadata(&settings).unwrap().permissions().mode() & 0o777, 0o640, "it may hold passwords");
    for document in ["README.md", "operations.md", "copyright"] {
        assert!(root.join("usr/share/doc/lectern").join(document).exists(), "{document}");
    }

    let unit = root.join("usr/lib/systemd/system/lectern.service");
    let text = fs::read_to_string(&unit).unwrap();
    assert!(text.starts_with("[Unit]") && text.contains("\nExecStart=/usr/bin/lectern\n"), "{text}");
    // systemd looks for the program where the unit says that it is.
    fs::write(&unit, text.replace("/usr/bin/lectern", root.join("usr/bin/lectern").to_str().unwrap())).unwrap();
    let verified = tools::run(Path::new("systemd-analyze"), ["verify".as_ref(), unit.as_os_str()]);
    assert_eq!(String::from_utf8_lossy(&verified.stderr), "");

    // Every setting is a comment, and one that the server takes where it has a value.
    let text = fs::read_to_string(&settings).unwrap();
    let examples: Vec<(&str, &str)> = text.lines().filter_map(|line| line.strip_prefix("#APP_")?.split_once('=')).collect();
    assert!(examples.len() >= 5 && text.lines().all(|line| line.is_empty() || line.starts_with('#')), "{text}");
    let given = examples.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| (format!("APP_{name}"), value));
    let environment = Environment::of(given.map(|(name, value)| (name, value.to_owned())));
    assert_eq!(environment.unknown(), []);
    Config::read(&environment).map_err(|problems| problems.to_string()).unwrap();
}

/// In an overlay of this machine's root, in a mount namespace of its own. Only root can make one; for other
/// users the test above looks into the package.
#[test]
fn it_is_installed_and_removed_and_leaves_what_belongs_to_the_operator() {
    if !Uid::effective().is_root() {
        return;
    }
    let (folder, copy) = (scratch(), scratch());
    let package = packed(&folder);
    let script = r#"
        set -e
        mount --make-rprivate /
        mount -t tmpfs -o size=512m copy "$0"
        mkdir "$0/upper" "$0/work" "$0/root"
        mount -t overlay -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" copy "$0/root"
        cp "$1" "$0/root/lectern.deb"
        mount -t proc proc "$0/root/proc"
        exec chroot "$0/root" sh -c "$2""#;
    let inside = r#"
        set -e
        export DEBIAN_FRONTEND=noninteractive
        dpkg --force-depends -i /lectern.deb >/dev/null
        stat -c '%n %U:%G %a' /etc/lectern/lectern.env /var/lib/lectern
        getent passwd lectern | cut -d : -f 1,6,7
        ls /etc/systemd/system/multi-user.target.wants/lectern.service
        runuser -u lectern -- env APP_DATA_DIR=/var/lib/lectern lectern check-config >/dev/null && echo "it reads its configuration"
        echo '# changed' >>/etc/lectern/lectern.env
        dpkg --force-depends -i /lectern.deb >/dev/null
        tail -n 1 /etc/lectern/lectern.env
        dpkg -r lectern >/dev/null
        [ ! -e /usr/bin/lectern ] && [ -e /etc/lectern/lectern.env ] && echo "removed, settings kept"
        dpkg -P lectern >/dev/null 2>&1
        [ ! -e /etc/lectern ] && [ -d /var/lib/lectern ] && echo "purged, data kept""#;
    let script = ["--mount", "sh", "-c", script].map(OsStr::new);
    let arguments = script.into_iter().chain([copy.path().as_os_str(), package.as_os_str(), inside.as_ref()]);
    let said = tools::printed(tools::run(Path::new("unshare"), arguments));
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        [
            "/etc/lectern/lectern.env root:lectern 640",
            "/var/lib/lectern lectern:lectern 700",
            "lectern:/var/lib/lectern:/usr/sbin/nologin",
            "/etc/systemd/system/multi-user.target.wants/lectern.service",
            "it reads its configuration",
            "# changed",
            "removed, settings kept",
            "purged, data kept",
        ]
    );
}
