//! Line markers: what the preprocessor says about where its output came from.

use crate::map::NameId;

/// The flags of a line marker `# 12 "foo.h" 1 3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MarkerFlags {
    /// Flag 1: an included file begins here.
    pub enter: bool,
    /// Flag 2: an included file has ended here.
    pub leave: bool,
    /// Flag 3: what follows comes from a system header, so that warnings about it are silent.
    pub system_header: bool,
    /// Flag 4: what follows is to be treated as if wrapped in `extern "C"`.
    pub extern_c: bool,
}

impl MarkerFlags {
    /// The flags that the numbers at the end of a marker stand for; unknown numbers are ignored.
    #[must_use]
    pub fn from_numbers(numbers: &[u32]) -> MarkerFlags {
        MarkerFlags {
            enter: numbers.contains(&1),
            leave: numbers.contains(&2),
            system_header: numbers.contains(&3),
            extern_c: numbers.contains(&4),
        }
    }
}

/// A recorded marker: from `offset` on, lines count up from `line` in the file `name`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marker {
    /// Where the line after the marker begins, in bytes from the start of the file.
    pub(crate) offset: u32,
    pub(crate) line: u32,
    pub(crate) name: NameId,
    pub(crate) system_header: bool,
    /// The innermost inclusion that is open here, as an index into [`Markers::inclusions`].
    pub(crate) inclusion: Option<u32>,
}

/// An inclusion that a marker opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inclusion {
    /// The offset just before the marker, whose presumed line is that of the `#include`.
    pub(crate) offset: u32,
    pub(crate) parent: Option<u32>,
}

/// All markers of a file, in order of their offsets.
#[derive(Default, Debug)]
pub(crate) struct Markers {
    list: Vec<Marker>,
    inclusions: Vec<Inclusion>,
}

impl Markers {
    /// Records a marker. Markers come in order from a lexer; one that does not is put in its
    /// place, and a second one for an offset replaces the first.
    pub(crate) fn add(
        &mut self,
        offset: u32,
        line: u32,
        name: Option<NameId>,
        flags: Option<MarkerFlags>,
        file_name: NameId,
    ) {
        let index = self.list.partition_point(|m| m.offset < offset);
        let before = index.checked_sub(1).map(|i| self.list[i]);
        let outer = before.and_then(|m| m.inclusion);
        let inclusion = match flags {
            Some(flags) if flags.enter => {
                self.inclusions.push(Inclusion { offset: offset.saturating_sub(1), parent: outer });
                u32::try_from(self.inclusions.len() - 1).ok()
            }
            Some(flags) if flags.leave => outer.and_then(|i| self.inclusions[i as usize].parent),
            _ => outer,
        };
        let marker = Marker {
            offset,
            line,
            name: name.or(before.map(|m| m.name)).unwrap_or(file_name),
            // `#line` has no flags and leaves the kind of header as it was.
            system_header: match flags {
                Some(flags) => flags.system_header,
                None => before.is_some_and(|m| m.system_header),
            },
            inclusion,
        };
        match self.list.get_mut(index) {
            Some(old) if old.offset == offset => *old = marker,
            _ => self.list.insert(index, marker),
        }
    }

    /// The marker in force at an offset.
    pub(crate) fn at(&self, offset: u32) -> Option<Marker> {
        let index = self.list.partition_point(|m| m.offset <= offset);
        index.checked_sub(1).map(|i| self.list[i])
    }

    pub(crate) fn inclusion(&self, index: u32) -> Option<Inclusion> {
        self.inclusions.get(index as usize).copied()
    }
}
