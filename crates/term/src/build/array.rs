//! Arrays.

use crate::op::{Op, TermId};
use crate::sort::Sort;
use crate::store::TermStore;

impl TermStore {
    /// `(select array index)`.
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let (index_sort, element_sort) = self.expect_array(array);
        assert!(self.sort(index) == index_sort, "{index} is not an index of {array}");
        self.app(Op::Select, element_sort, &[array, index])
    }

    /// `(store array index element)`.
    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        let (index_sort, element_sort) = self.expect_array(array);
        assert!(self.sort(index) == index_sort, "{index} is not an index of {array}");
        assert!(self.sort(element) == element_sort, "{element} is not an element of {array}");
        let sort = self.sort(array);
        self.app(Op::Store, sort, &[array, index, element])
    }

    /// `((as const sort) element)`.
    pub fn const_array(&mut self, sort: Sort, element: TermId) -> TermId {
        let Sort::Array(id) = sort else { panic!("{sort:?} is not an array sort") };
        assert!(self.sort(element) == self.array_parts(id).1, "{element} is not an element");
        self.app(Op::ConstArray, sort, &[element])
    }

    fn expect_array(&self, array: TermId) -> (Sort, Sort) {
        match self.sort(array) {
            Sort::Array(id) => self.array_parts(id),
            sort => panic!("{array} has sort {sort:?}, not an array's"),
        }
    }
}
