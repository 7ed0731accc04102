//! A constant table from words to words, of up to 64 bits each, and what can be said about parts of it.

use vergo_term::LookupTable;

/// A table, sorted by key.
pub(crate) struct Table {
    pub(crate) keys: Keys,
    pub(crate) words: Words,
    width: usize,
    /// Summaries of blocks of words; each further level has blocks of several blocks, the last one a single block.
    levels: Vec<Vec<Summary>>,
}

/// The keys of a table in ascending order.
pub(crate) enum Keys {
    /// A first one, and so many in all.
    Range(u64, usize),
    Sorted(Vec<u64>),
}

/// The words of a table by position.
pub(crate) enum Words {
    Table(LookupTable),
    List(Vec<u64>),
}

/// The facts about all words of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Summary {
    pub(crate) least: u64,
    pub(crate) greatest: u64,
    /// The bounds of the words as signed numbers.
    pub(crate) lowest: i64,
    pub(crate) highest: i64,
    /// The bits that are one in all words, and those that are zero.
    pub(crate) ones: u64,
    pub(crate) zeros: u64,
}

/// Words that are a linear function of their keys: `slope * key + start`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    /// The first position and the last.
    pub(crate) run: (usize, usize),
    pub(crate) slope: u64,
    pub(crate) start: u64,
}

/// Words in a block of the first level.
const BLOCK: usize = 64;
/// Blocks in a block of the next level.
const FAN: usize = 8;
/// Shorter runs of equal steps are accidents.
const MIN_RUN: usize = 4;

impl Keys {
    /// Keys that are in ascending order.
    pub(crate) fn new(sorted: Vec<u64>) -> Keys {
        let is_range = sorted.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        match sorted.first() {
            Some(&first) if is_range => Keys::Range(first, sorted.len()),
            _ => Keys::Sorted(sorted),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Keys::Range(_, len) => *len,
            Keys::Sorted(keys) => keys.len(),
        }
    }

    pub(crate) fn get(&self, position: usize) -> u64 {
        match self {
            Keys::Range(first, _) => first + position as u64,
            Keys::Sorted(keys) => keys[position],
        }
    }

    /// Where a key is, or else where it would be.
    pub(crate) fn position(&self, key: u64) -> Result<usize, usize> {
        match self {
            Keys::Range(first, len) => match key.checked_sub(*first) {
                None => Err(0),
                Some(distance) => match usize::try_from(distance) {
                    Ok(position) if position < *len => Ok(position),
                    _ => Err(*len),
                },
            },
            Keys::Sorted(keys) => keys.binary_search(&key),
        }
    }

    /// The first and the last position of the keys around one that follow each other without a gap.
    pub(crate) fn run(&self, position: usize) -> (usize, usize) {
        let Keys::Sorted(keys) = self else { return (0, self.len() - 1) };
        let (mut first, mut last) = (position, position);
        while first > 0 && keys[first - 1] + 1 == keys[first] {
            first -= 1;
        }
        while last + 1 < keys.len() && keys[last] + 1 == keys[last + 1] {
            last += 1;
        }
        (first, last)
    }
}

impl Words {
    pub(crate) fn get(&self, position: usize) -> u64 {
        match self {
            Words::Table(table) => table.get(position),
            Words::List(words) => words[position],
        }
    }
}

impl Summary {
    fn of(word: u64, width: usize) -> Summary {
        let signed = signed(word, width);
        Summary {
            least: word,
            greatest: word,
            lowest: signed,
            highest: signed,
            ones: word,
            zeros: !word,
        }
    }

    fn join(self, other: Summary) -> Summary {
        Summary {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            lowest: self.lowest.min(other.lowest),
            highest: self.highest.max(other.highest),
            ones: self.ones & other.ones,
            zeros: self.zeros & other.zeros,
        }
    }

    /// Returns whether a word can be in the block.
    fn admits(&self, word: u64) -> bool {
        (self.least..=self.greatest).contains(&word)
            && self.ones & !word == 0
            && self.zeros & word == 0
    }
}

/// The number that a word is in two's complement.
pub(super) fn signed(word: u64, width: usize) -> i64 {
    let unused = 64 - width as u32;
    (word << unused) as i64 >> unused
}

impl Table {
    /// The table with those keys and words, as many of the one as of the other and at least one; the words have `width`
    /// bits.
    pub(crate) fn new(keys: Keys, words: Words, width: usize) -> Table {
        let n_words = keys.len();
        let mut level: Vec<Summary> = (0..n_words)
            .step_by(BLOCK)
            .filter_map(|start| {
                let block = start..(start + BLOCK).min(n_words);
                block.map(|i| Summary::of(words.get(i), width)).reduce(Summary::join)
            })
            .collect();
        let mut levels = Vec::new();
        while level.len() > 1 {
            let next = level.chunks(FAN).filter_map(|c| c.iter().copied().reduce(Summary::join));
            let next = next.collect();
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.push(level);
        Table { keys, words, width, levels }
    }

    /// Returns the facts about all words.
    pub(crate) fn summary(&self) -> Summary {
        self.levels[self.levels.len() - 1][0]
    }

    /// The blocks around a position, the largest first: their first and last positions, and what is true of their words.
    pub(crate) fn blocks_around(
        &self,
        position: usize,
    ) -> impl Iterator<Item = ((usize, usize), Summary)> {
        (0..self.levels.len()).rev().map(move |level| {
            let size = BLOCK * FAN.pow(level as u32);
            let number = position / size;
            let last = ((number + 1) * size).min(self.keys.len()) - 1;
            ((number * size, last), self.levels[level][number])
        })
    }

    fn mask(&self, word: u64) -> u64 {
        word & (u64::MAX >> (64 - self.width))
    }

    /// The longest line through a position, unless it is a short one.
    pub(crate) fn line_at(&self, position: usize) -> Option<Line> {
        let lines = [position.checked_sub(1), Some(position)]
            .into_iter()
            .flatten()
            .filter_map(|at| self.line_from(at))
            .filter(|line| line.run.1 - line.run.0 + 1 >= MIN_RUN);
        lines.max_by_key(|line| line.run.1 - line.run.0)
    }

    /// The line through a position and the next one.
    fn line_from(&self, at: usize) -> Option<Line> {
        if at + 1 >= self.keys.len() {
            return None;
        }
        let (key, word) = (self.keys.get(at), self.words.get(at));
        let distance = i64::try_from(self.keys.get(at + 1) - key).ok()?;
        let step = signed(self.mask(self.words.get(at + 1).wrapping_sub(word)), self.width);
        if step % distance != 0 {
            return None;
        }
        let slope = (step / distance) as u64;
        let start = self.mask(word.wrapping_sub(slope.wrapping_mul(key)));
        let fits = |i: usize| {
            let expected = slope.wrapping_mul(self.keys.get(i)).wrapping_add(start);
            self.mask(expected) == self.words.get(i)
        };
        let (mut first, mut last) = (at, at + 1);
        while first > 0 && fits(first - 1) {
            first -= 1;
        }
        while last + 1 < self.keys.len() && fits(last + 1) {
            last += 1;
        }
        Some(Line { run: (first, last), slope: self.mask(slope), start })
    }

    /// The nearest positions of a word before another position and behind it.
    pub(crate) fn places(&self, word: u64, around: usize) -> [Option<usize>; 2] {
        let blocks = &self.levels[0];
        let own = around / BLOCK;
        let find = |block: usize| {
            let all = block * BLOCK..((block + 1) * BLOCK).min(self.keys.len());
            let all = if blocks[block].admits(word) { all } else { 0..0 };
            all.filter(|&i| self.words.get(i) == word)
        };
        let before = (0..=own).rev().find_map(|block| find(block).rfind(|&i| i < around));
        let after = (own..blocks.len()).find_map(|block| find(block).find(|&i| i > around));
        [before, after]
    }

    /// The words of the table next to one that is not in it.
    pub(crate) fn neighbours(&self, word: u64) -> [Option<u64>; 2] {
        let all = || (0..self.keys.len()).map(|i| self.words.get(i));
        [all().filter(|&other| other < word).max(), all().filter(|&other| other > word).min()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(words: Vec<u64>) -> Table {
        Table::new(Keys::Range(0, words.len()), Words::List(words), 32)
    }

    #[test]
    fn blocks_nest_and_say_what_is_true_of_their_words() {
        let table = table((0..1000).map(|i| i * 4).collect());
        let blocks: Vec<_> = table.blocks_around(999).collect();
        let sizes: Vec<_> = blocks.iter().map(|(block, _)| *block).collect();
        assert_eq!(sizes, [(0, 999), (512, 999), (960, 999)]);
        assert_eq!((blocks[0].1.least, blocks[0].1.greatest), (0, 3996));
        assert_eq!(blocks[2].1.least, 3840);
        assert_eq!(blocks[0].1.zeros & 0xfff, 3);
    }

    #[test]
    fn lines_reach_as_far_as_the_steps_are_equal() {
        let mut words: Vec<u64> = (0..100).map(|i| 7 * i + 5).collect();
        words[50] = 0;
        let table = table(words);
        assert_eq!(table.line_at(20), Some(Line { run: (0, 49), slope: 7, start: 5 }));
        assert_eq!(table.line_at(99).map(|line| line.run), Some((51, 99)));
        assert_eq!(table.line_at(50), None);
    }

    #[test]
    fn lines_may_fall_and_keys_may_have_gaps() {
        let keys = Keys::new((0..10).map(|i| 10 * i).collect());
        let words = Words::List((0..10u64).map(|i| 100 - 10 * i).collect());
        let line = Table::new(keys, words, 32).line_at(3);
        assert_eq!(line, Some(Line { run: (0, 9), slope: 0xffff_ffff, start: 100 }));
    }

    #[test]
    fn words_are_found_on_both_sides() {
        let mut words = vec![1; 500];
        words[3] = 9;
        words[400] = 9;
        let table = table(words);
        assert_eq!(table.places(9, 100), [Some(3), Some(400)]);
        assert_eq!(table.places(9, 3), [None, Some(400)]);
        assert_eq!(table.places(5, 3), [None, None]);
        assert_eq!(table.neighbours(5), [Some(1), Some(9)]);
        assert_eq!(table.neighbours(0), [None, Some(1)]);
    }

    #[test]
    fn keys_know_their_runs() {
        let keys = Keys::new(vec![1, 2, 3, 7, 8, u64::MAX]);
        assert_eq!(keys.run(1), (0, 2));
        assert_eq!(keys.run(4), (3, 4));
        assert_eq!(keys.position(5), Err(3));
        assert_eq!(Keys::Range(4, 3).position(7), Err(3));
        assert_eq!(Keys::Range(4, 3).position(3), Err(0));
        assert_eq!(Keys::Range(4, 3).position(6), Ok(2));
    }
}
