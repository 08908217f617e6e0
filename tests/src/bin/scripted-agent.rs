//! The scripted agent as a program; what it understands is documented in `drover_tests::agent`.

fn main() -> std::process::ExitCode {
    drover_tests::agent::main()
}
