//! The heap and the lifetimes of objects.

use super::Scene;
use crate::Rng;

/// Blocks that are allocated, used, resized and released; now and then wrongly.
pub(super) fn heap(rng: &mut Rng, scene: &mut Scene) {
    let n = rng.between(1, 3);
    let mut sizes = Vec::new();
    for i in 0..n {
        let size = rng.between(1, 6);
        sizes.push(size);
        match rng.below(3) {
            0 => scene.line(format!("int *$p{i} = malloc({size} * sizeof(int)); memset($p{i}, {i}, {size} * sizeof(int));")),
            1 => scene.line(format!("int *$p{i} = calloc({size}, sizeof(int));")),
            _ => scene.line(format!("int *$p{i} = realloc(0, {size} * sizeof *$p{i}); for (int i_ = 0; i_ < {size}; i_++) $p{i}[i_] = i_;")),
        }
    }
    for _ in 0..rng.between(2, 6) {
        let i = rng.below(n);
        let careless = scene.slips(rng);
        let at = if careless { sizes[i] + rng.below(2) } else { rng.below(sizes[i].max(1)) };
        match rng.below(8) {
            0 | 1 => scene.line(format!("$p{i}[{at}] = {};", rng.below(100))),
            2 | 3 => scene.observe(format!("$p{i}[{at}]")),
            4 => {
                let size = rng.between(1, 8);
                scene.line(format!("$p{i} = realloc($p{i}, {size} * sizeof(int)); for (int i_ = {}; i_ < {size}; i_++) $p{i}[i_] = 9;", sizes[i]));
                sizes[i] = size;
            }
            5 => scene.line(format!(
                "memmove($p{i}, $p{i} + {}, sizeof(int) * {});",
                at.min(1),
                sizes[i].saturating_sub(usize::from(!careless))
            )),
            6 if scene.slips(rng) => scene.line(format!("free($p{i} + {});", rng.below(2))),
            7 if scene.slips(rng) => scene.line(format!("free((char *)$p{i}); $p{i} = 0;")),
            _ => scene.observe(format!("$p{i} != 0")),
        }
    }
    for i in 0..n {
        if !scene.slips(rng) {
            scene.line(format!("free($p{i});"));
        }
    }
}

/// Pointers that outlive what they point to, or nearly.
pub(super) fn lifetimes(rng: &mut Rng, scene: &mut Scene) {
    scene.global("static int *$keep;");
    scene.global("static int *$leave(int n) { int l = n; $keep = &l; return n ? $keep : 0; }");
    scene.global("static int $use(int *p) { return p ? *p : 0; }");
    scene.global("struct $node { struct $node *next; int v; };");
    scene.line("int $s = 3; int *$p = &$s;");
    for _ in 0..rng.between(1, 4) {
        let careless = scene.slips(rng);
        match rng.below(12) {
            0 | 3 | 5 | 6 | 7 if !careless => scene.line("$p = &$s;"),
            0 => scene.line("{ int a_ = 4; $p = &a_; observe_(*$p); }"),
            1 => scene.line("{ int b_ = 4; int *q_ = &b_; observe_($use(q_)); } $p = &$s;"),
            2 => scene.line("$leave(0);"),
            3 => scene.line("$p = $leave(1);"),
            4 => scene.observe("$use($p)"),
            5 => scene.line("for (int i_ = 0; i_ < 3; i_++) { int c_ = i_; if (i_ == 0) $p = &c_; else observe_(c_); }"),
            6 => scene.line("$p = ({ int d_ = 5; &d_; });"),
            7 => scene.line("{ int *m_ = malloc(4); *m_ = 1; $p = m_; observe_(*$p); free(m_); }"),
            8 => scene.line("{ struct $node *h_ = 0; for (int i_ = 0; i_ < 3; i_++) { struct $node *n_ = malloc(sizeof *n_); n_->v = i_; n_->next = h_; h_ = n_; } while (h_) { struct $node *t_ = h_->next; observe_(h_->v); free(h_); h_ = t_; } }"),
            9 => scene.line("{ struct $node *h_ = malloc(sizeof *h_); h_->next = h_; h_->v = 2; observe_(h_->next->v); free(h_); if (0) free(h_); }"),
            10 => scene.line("{ int *q_; { int e_[2] = { 1, 2 }; q_ = e_; observe_(q_[1]); } q_ = &$s; observe_(*q_); }"),
            _ => scene.line("$p = &$s;"),
        }
    }
    scene.observe("$s");
}
