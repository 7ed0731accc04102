//! Formatted output and input, against what C says and the host's compiler.

use super::{parse, run_with};
use crate::{Buffers, Outcome};

/// Prints one argument by a format.
fn printed(format: &str, ty: &str, value: &str) -> String {
    let mut quoted = String::new();
    for byte in format.bytes() {
        quoted.push_str(&format!("\\{byte:02x}"));
    }
    // Behind its kind.
    let offset = if ty == "x87" { 16 } else { 8 };
    let text = format!(
        "entry main;
         static const text: i8[{}] align 1 = {{ @0: bytes \"{quoted}\"; }};
         static const hello: i8[6] align 1 = {{ @0: bytes \"hello\"; }};
         static args: u8[32] align 16;
         function main: fn() -> void {{ local r: i32 align 4;
            *({ty}*)&args[{offset}u32] := {value};
            r := intrinsic print(1i32, &text, (void*)&args); end r; }}",
        format.len() + 1,
    );
    let program = parse(&text);
    let (outcome, out) = run_with(&program, "", |_| {});
    let out = String::from_utf8(out).unwrap();
    assert_eq!(outcome, Outcome::Exited(out.len() as u8), "{format}");
    out
}

#[test]
fn integers_print_as_in_c() {
    for (format, ty, value, expected) in [
        ("%d", "i32", "-42i32", "-42"),
        ("[%5d|%-5d]", "i32", "7i32", "[    7|7    ]"),
        ("%05d", "i32", "-42i32", "-0042"),
        ("%+d", "i32", "42i32", "+42"),
        ("% d", "i32", "42i32", " 42"),
        ("%.3d", "i32", "7i32", "007"),
        ("%8.3d", "i32", "-7i32", "    -007"),
        ("%.0d", "i32", "0i32", ""),
        ("%x", "u32", "48879u32", "beef"),
        ("%#X", "u32", "48879u32", "0XBEEF"),
        ("%#o", "u32", "8u32", "010"),
        ("%#x", "u32", "0u32", "0"),
        ("%hhd", "i32", "257i32", "1"),
        ("%hu", "i32", "-1i32", "65535"),
        ("%lu", "u64", "18446744073709551615u64", "18446744073709551615"),
        ("%lld", "i64", "-9223372036854775808i64", "-9223372036854775808"),
        ("%c", "i32", "65i32", "A"),
        ("%%%3c|", "i32", "65i32", "%  A|"),
        ("%p", "u64", "4660u64", "0x1234"),
        ("%p", "u64", "0u64", "(nil)"),
        ("%.3s|", "i8*", "&hello[0u32]", "hel|"),
        ("%-8s|", "i8*", "&hello[0u32]", "hello   |"),
    ] {
        // The second of two conversions of one argument would read the next one.
        if format.matches('%').count() == 1 || format.starts_with("%%") {
            assert_eq!(printed(format, ty, value), expected, "{format}");
        }
    }
}

#[test]
fn floats_print_as_in_c() {
    for (format, value, expected) in [
        ("%f", "1.5f64", "1.500000"),
        ("%.0f", "2.5f64", "2"),
        ("%.0f", "3.5f64", "4"),
        ("%#.0f", "3.5f64", "4."),
        ("%.3f", "0.0005f64", "0.001"),
        ("%.20f", "0.1f64", "0.10000000000000000555"),
        ("%e", "12345.678f64", "1.234568e+04"),
        ("%.0e", "95.0f64", "1e+02"),
        ("%E", "1e-300f64", "1.000000E-300"),
        ("%g", "100000.0f64", "100000"),
        ("%g", "1000000.0f64", "1e+06"),
        ("%g", "0.0001f64", "0.0001"),
        ("%g", "0.00001f64", "1e-05"),
        ("%#g", "1.5f64", "1.50000"),
        ("%.3g", "0.00012345f64", "0.000123"),
        ("%G", "1e100f64", "1E+100"),
        ("%10.2f|", "-3.14159f64", "     -3.14|"),
        ("%-10.2f|", "3.14159f64", "3.14      |"),
        ("%010.2f", "-3.14159f64", "-000003.14"),
        ("%+.1e", "0.0f64", "+0.0e+00"),
        ("%f", "#float<f64>(inf)", "inf"),
        ("%05F", "#float<f64>(-inf)", " -INF"),
        ("%f", "#float<f64>(nan)", "nan"),
        ("%a", "1.0f64", "0x1p+0"),
        ("%a", "-0.75f64", "-0x1.8p-1"),
        ("%.1a", "1.999f64", "0x2.0p+0"),
        ("%a", "0.0f64", "0x0p+0"),
        ("%A", "10.5f64", "0X1.5P+3"),
        ("%.15g", "0.1f64", "0.1"),
        ("%.17g", "0.1f64", "0.10000000000000001"),
        ("%.0f", "1e22f64", "10000000000000000000000"),
    ] {
        assert_eq!(printed(format, "f64", value), expected, "{format} of {value}");
    }
    assert_eq!(printed("%Lf", "x87", "1.25x87"), "1.250000");
    assert_eq!(printed("%La", "x87", "1.0x87"), "0x8p-3");
}

/// The host's `printf` prints the same, on scattered values.
#[test]
fn floats_print_as_the_host_prints_them() {
    let Some(host) = vergo_testkit::host_c::HostC::find() else {
        vergo_testkit::environment::skip(
            "floats_print_as_the_host_prints_them",
            "there is no C compiler",
        );
        return;
    };
    let formats = ["%.3f", "%e", "%g", "%a", "%.17g", "%#.4g", "%.2a", "%12.1f"];
    let mut rng = vergo_testkit::Rng::new(3);
    let mut values = vec![5e-324, 2.2250738585072014e-308, f64::MAX, 0.1, 123456789.125];
    for _ in 0..12 {
        let bits = rng.bits();
        values.push(f64::from_bits(bits));
        values.push((bits >> 40) as f64 / 1024.0);
    }
    values.retain(|v| v.is_finite());
    let mut source = String::from("#include <stdio.h>\nint main(void) {\n");
    let mut expected = String::new();
    for value in &values {
        for format in formats {
            let exact = vergo_num::Float::from_f64(*value);
            source.push_str(&format!("printf(\"{format}\\n\", {});\n", exact.to_hex()));
            expected.push_str(&printed(format, "f64", &format!("{}f64", exact.to_decimal())));
            expected.push('\n');
        }
    }
    source.push_str("return 0; }\n");
    let folder = vergo_testkit::host_c::Scratch::new("interp-printf").unwrap();
    let limit = std::time::Duration::from_secs(20);
    let finished = host.run_text(&folder, &source, &[], limit).unwrap();
    assert_eq!(expected, finished.stdout_text());
}

#[test]
fn input_is_scanned_as_in_c() {
    let text = "entry main;
        static const text: i8[24] align 1 = { @0: bytes \"%d %x %3s%c %[a-z] %lf,%n\"; };
        static args: struct args align 8;
        struct args size 112 align 8 { a: i32* @8; b: u32* @24; c: i8* @40; d: i8* @56; e: i8* @72; f: f64* @88; g: i32* @104; }
        static a: i32 align 4; static b: u32 align 4; static c: i8[8] align 1; static d: i8 align 1;
        static e: i8[8] align 1; static f: f64 align 8; static g: i32 align 4;
        function main: fn() -> void { local r: i32 align 4;
            args := #make<struct args>{&a, &b, &c[0u32], &d, &e[0u32], &f, &g};
            r := intrinsic scan(0i32, &text, (void*)&args);
            assert a == -12i32 && b == 255u32 && c[2u32] == 122i8 && c[3u32] == 0i8 && d == 119i8 \"t\" \"\";
            assert e[1u32] == 98i8 && e[2u32] == 0i8 && f == -250.0f64 && g == 27i32 \"t\" \"\";
            end r; }";
    let text = text.replace("i8[24]", "i8[26]");
    let program = parse(&text);
    let buffers = Buffers::new(b"  -12 0xff xyzw ab  -2.5e2, rest");
    let (outcome, _) = run_with(&program, "", |o| o.world = Box::new(buffers));
    assert_eq!(outcome, Outcome::Exited(6));
    let (outcome, _) = run_with(&program, "", |o| o.world = Box::new(Buffers::new(b"   ")));
    assert_eq!(super::violated(&outcome), "t");
}

#[test]
fn bytes_go_in_and_out() {
    let program = parse(
        "entry main; static b: u8[8] align 1;
         function main: fn() -> void { local n: i64 align 8;
            n := intrinsic read(0i32, &b, 8u64);
            n := intrinsic write(1i32, &b, (u64)n);
            n := intrinsic read(5i32, &b, 8u64);
            end n == -1i64 ? 1i32 : 0i32; }",
    );
    let buffers = Buffers::new(b"abc");
    let world = buffers.clone();
    let (outcome, _) = run_with(&program, "", |o| o.world = Box::new(world));
    assert_eq!((outcome, buffers.output()), (Outcome::Exited(1), b"abc".to_vec()));
}
