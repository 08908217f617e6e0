//! A clock that jumps, and a zone that changes.

use std::{path::PathBuf, process::Command};

use drover_tests::harness::{Drover, Setup, message_text};
use serde_json::Value;

/// The wall clock with an offset in seconds, read from a file at each call.
const SHIFTED: &str = r#"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, id, time);
    const char *name = getenv("CLOCK_OFFSET_FILE");
    if (result != 0 || id != CLOCK_REALTIME || !name) return (int)result;
    char text[32] = {0};
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) > 0) time->tv_sec += atol(text);
        close(file);
    }
    return 0;
}
"#;

/// A daemon whose clock the test sets.
struct Shifted {
    drover: Drover,
    offset: PathBuf,
}

impl Shifted {
    async fn start() -> Self {
        let mut drover = Drover::prepared(Setup::default());
        let (source, library) = (drover.dir.path().join("clock.c"), drover.dir.path().join("clock.so"));
        std::fs::write(&source, SHIFTED).expect("a file");
        let built = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source).status();
        assert!(built.expect("a C compiler, as Rust links with it").success());
        let offset = drover.dir.path().join("offset");
        drover.setup.env = vec![
            ("LD_PRELOAD".into(), library.into()),
            ("CLOCK_OFFSET_FILE".into(), offset.clone().into()),
            ("TZ".into(), "UTC".into()),
        ];
        let shifted = Self { drover, offset };
        shifted.hours(0);
        shifted
    }

    /// Sets the clock to so many hours from now.
    fn hours(&self, hours: i64) {
        let draft = self.offset.with_extension("new");
        std::fs::write(&draft, (hours * 3600).to_string()).expect("a file");
        std::fs::rename(draft, &self.offset).expect("a file");
    }
}

fn users(chat: &Value) -> Vec<String> {
    let messages = chat["messages"].as_array().expect("messages").iter();
    messages.filter(|message| message["role"] == "user").map(|message| message_text(message)[..2].to_owned()).collect()
}

#[tokio::test]
async fn a_clock_that_jumps_and_a_zone_that_changes_move_no_message() {
    let mut shifted = Shifted::start().await;
    shifted.drover.restart().await;
    let task = shifted.drover.task().await;
    let other = shifted.drover.task().await;
    let stream = shifted.drover.follow_now().await;
    let mut times = Vec::new();
    for (name, hours) in [("m1", 0), ("m2", -7), ("m3", 6)] {
        shifted.hours(hours);
        let answer = shifted.drover.turn(&task, &format!("{name}\n!text a{name}")).await;
        times.push(answer["created_at"].as_str().expect("a time").to_owned());
    }
    assert!(times[1] < times[0] && times[0] < times[2], "the clock was shifted: {times:?}");
    let sent = shifted.drover.send(&task, "m4\n!text start\n!sleep 400\n!text end").await;
    shifted.drover.says(&task, &sent, "start").await;
    shifted.hours(-2);
    let across = shifted.drover.ended(&task, &sent.assistant_message_id).await;
    let lasted = across["duration_ms"].as_i64().expect("a duration");
    assert!((0..60_000).contains(&lasted), "{lasted} ms");
    let seqs: Vec<u64> = stream.events().iter().filter_map(|event| event.seq).collect();
    assert!(seqs.windows(2).all(|pair| pair[0] < pair[1]), "numbers of events know no clock");

    shifted.drover.stop().await;
    shifted.hours(0);
    for (name, value) in &mut shifted.drover.setup.env {
        if name == "TZ" {
            *value = "Asia/Kathmandu".into();
        }
    }
    shifted.drover.restart().await;
    let drover = &shifted.drover;
    drover.turn(&task, "m5\n!text am5").await;
    assert_eq!(users(&drover.chat(&task).await), ["m1", "m2", "m3", "m4", "m5"]);
    let sent = drover.send_to(&task, "beta", "m6\n!prompt").await;
    let handed = message_text(&drover.ended(&task, &sent.assistant_message_id).await);
    let places: Vec<Option<usize>> = ["m1", "am1", "m2", "am2", "m3", "am3", "m4", "m5", "m6"]
        .iter()
        .map(|word| handed.find(&format!("{word}\n")).or_else(|| handed.find(word)))
        .collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} in {handed}");
    drover.turn(&other, "!text newest").await;
    let tasks = drover.get("/tasks").await.is(200);
    assert_eq!(tasks["tasks"][0]["id"], other.as_str(), "what was used in the future does not stay on top");
}
