//! The regions of Storyblok, each with hosts of its own.

use std::str::FromStr;

/// A region of Storyblok.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    Eu,
    Us,
    Ca,
    /// Australia and its neighbours.
    Ap,
    Cn,
}

/// Scheme, host and port of both APIs, without a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origins {
    /// The base URL of the Management API.
    pub management: String,
    /// The base URL of the Delivery API.
    pub delivery: String,
}

impl Region {
    /// All regions.
    pub const ALL: [Self; 5] = [Self::Eu, Self::Us, Self::Ca, Self::Ap, Self::Cn];

    /// Its name in requests.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Eu => "eu",
            Self::Us => "us",
            Self::Ca => "ca",
            Self::Ap => "ap",
            Self::Cn => "cn",
        }
    }

    /// The origins of its APIs, unless the operator configured others.
    pub fn origins(self, management: Option<&str>, delivery: Option<&str>) -> Origins {
        let (its_management, its_delivery) = match self {
            Self::Eu => ("https://mapi.storyblok.com", "https://api.storyblok.com"),
            Self::Us => ("https://api-us.storyblok.com", "https://api-us.storyblok.com"),
            Self::Ca => ("https://api-ca.storyblok.com", "https://api-ca.storyblok.com"),
            Self::Ap => ("https://api-ap.storyblok.com", "https://api-ap.storyblok.com"),
            Self::Cn => ("https://app.storyblokchina.cn", "https://app.storyblokchina.cn"),
        };
        let origin = |ours: Option<&str>, its: &str| ours.unwrap_or(its).trim_end_matches('/').to_owned();
        Origins { management: origin(management, its_management), delivery: origin(delivery, its_delivery) }
    }

    /// The region of a space's id: new ids carry it in their upper bits, old ones lie in a range for each
    /// region. Ids below a million may also be of China.
    pub fn of_space(space: i64) -> Option<Self> {
        const RANGE: i64 = 1_000_000;
        match (space >> 48, space / RANGE) {
            (0, 0) | (1, _) => Some(Self::Eu),
            (0, 1) | (2, _) => Some(Self::Us),
            (0, 2) | (3, _) => Some(Self::Ca),
            (0, 3) | (4, _) => Some(Self::Ap),
            (6, _) => Some(Self::Cn),
            _ => None,
        }
    }

    /// The region of a space's id, if it is another one than this.
    pub fn other_of_space(self, space: i64) -> Option<Self> {
        const SHARED: i64 = 1_000_000;
        let may_be_here = self == Self::Cn && (0..SHARED).contains(&space);
        Self::of_space(space).filter(|o| *o != self && !may_be_here)
    }
}

impl FromStr for Region {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|value| value.as_str() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::Region;

    #[test]
    fn a_region_has_its_hosts_unless_the_operator_configured_others() {
        let origins = "eu".parse::<Region>().unwrap().origins(None, Some("http://127.0.0.1:9/"));
        assert_eq!((origins.management.as_str(), origins.delivery.as_str()), ("https://mapi.storyblok.com", "http://127.0.0.1:9"));
        assert!("EU".parse::<Region>().is_err() && "au".parse::<Region>().is_err() && "".parse::<Region>().is_err());
    }

    #[test]
    fn the_id_of_a_space_tells_its_region() {
        for (space, region) in [
            (69_559, Some(Region::Eu)),
            (1_017_006, Some(Region::Us)),
            (2_000_001, Some(Region::Ca)),
            (3_999_999, Some(Region::Ap)),
            (4_000_000, None),
            ((1 << 48) + 5, Some(Region::Eu)),
            ((2 << 48) + 5, Some(Region::Us)),
            ((6 << 48) + 5, Some(Region::Cn)),
            ((5 << 48) + 5, None),
            (-1, None),
        ] {
            assert_eq!(Region::of_space(space), region, "{space}");
        }
        assert_eq!(Region::Us.other_of_space(69_559), Some(Region::Eu));
        assert_eq!(Region::Eu.other_of_space(69_559), None);
        assert_eq!(Region::Cn.other_of_space(69_559), None, "China has these numbers too");
        assert_eq!(Region::Cn.other_of_space(1_017_006), Some(Region::Us));
        assert_eq!(Region::Cn.other_of_space(5), None);
        assert_eq!(Region::Eu.other_of_space(4_000_000), None, "unknown");
    }
}
