use super::*;
use tempfile::TempDir;

fn open(folder: &TempDir, max_bytes: u64) -> Arc<Spool> {
    Arc::new(Spool::open(folder.path().join("spool"), Arc::new(SpoolUsage::new(max_bytes))).unwrap())
}

fn frame(lines: &[&str]) -> Vec<u8> {
    let mut frame = FrameBuilder::default();
    lines.iter().for_each(|line| frame.push(line.as_bytes()));
    frame.finish(7)
}

fn append_and_commit(spool: &Spool, lines: &[&str]) -> Position {
    let AppendOutcome::Appended(at) = spool.append(&frame(lines)).unwrap() else { panic!("not appended") };
    spool.commit(at).unwrap();
    at
}

/// Returns the lines that a job has yet to read, and the position after them.
fn unread_lines(spool: &Arc<Spool>, job: u64) -> (Vec<String>, Position) {
    let mut reader = SpoolReader::new(Arc::clone(spool), spool.attach_job(job).unwrap());
    let mut lines = Vec::new();
    while let Some(frame) = reader.next().unwrap() {
        lines.extend(frame.lines().map(|line| String::from_utf8(line.to_vec()).unwrap()));
    }
    (lines, reader.position())
}

fn file_names(folder: &TempDir) -> Vec<String> {
    let names = std::fs::read_dir(folder.path().join("spool")).unwrap();
    let mut names: Vec<_> = names.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn job_reads_later_lines_and_resumes_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    assert_eq!(spool.append(&frame(&["without readers"])).unwrap(), AppendOutcome::NoReaders);
    spool.attach_job(1).unwrap();
    append_and_commit(&spool, &["a", "b"]);
    spool.attach_job(2).unwrap();
    append_and_commit(&spool, &["c"]);
    assert_eq!(unread_lines(&spool, 1).0, ["a", "b", "c"]);
    assert_eq!(unread_lines(&spool, 2).0, ["c"]);
    let start = spool.attach_job(1).unwrap();
    let first = unread_lines(&spool, 1).1;
    spool.advance(1, Position { segment: first.segment, offset: start.offset, line: 1 }).unwrap();
    drop(spool);
    let spool = open(&folder, 1 << 20);
    append_and_commit(&spool, &["d"]);
    assert_eq!(unread_lines(&spool, 1).0, ["b", "c", "d"]);
    assert_eq!(unread_lines(&spool, 2).0, ["c", "d"]);
    assert_eq!(spool.attached_jobs(), [1, 2]);
}

#[test]
fn segment_that_every_job_has_read_is_removed() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(1).unwrap();
    spool.attach_job(2).unwrap();
    append_and_commit(&spool, &["a"]);
    let (_, end) = unread_lines(&spool, 1);
    spool.advance(1, end).unwrap();
    assert_eq!(file_names(&folder), ["0000000000000001.lines", "job-1", "job-2"]);
    spool.advance(2, end).unwrap();
    assert_eq!(file_names(&folder), ["job-1", "job-2"]);
    assert_eq!(spool.usage.used_bytes.load(Ordering::Relaxed), 0);
    drop(spool);
    let spool = open(&folder, 1 << 20);
    append_and_commit(&spool, &["b"]);
    assert_eq!(unread_lines(&spool, 1).0, ["b"]);
    spool.advance(1, unread_lines(&spool, 1).1).unwrap();
    spool.detach_job(2).unwrap();
    assert_eq!(file_names(&folder), ["job-1"]);
}

#[test]
fn reader_continues_in_the_next_segment() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 16);
    spool.attach_job(1).unwrap();
    let line = "x".repeat(3000);
    for _ in 0..6 {
        append_and_commit(&spool, &[&line]);
    }
    assert_eq!(unread_lines(&spool, 1).0.len(), 6);
    assert_eq!(file_names(&folder).len(), 1 + 3);
    let spool = open(&folder, 1 << 16);
    assert_eq!(unread_lines(&spool, 1).0.len(), 6);
}

#[test]
fn append_beyond_the_budget_returns_full() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 100);
    spool.attach_job(1).unwrap();
    append_and_commit(&spool, &[&"x".repeat(70)]);
    assert_eq!(spool.append(&frame(&["y"])).unwrap(), AppendOutcome::Full);
    spool.advance(1, unread_lines(&spool, 1).1).unwrap();
    append_and_commit(&spool, &["y"]);
    assert_eq!(unread_lines(&spool, 1).0, ["y"]);
}

#[test]
fn torn_frame_is_cut_off_at_any_length() {
    let whole = frame(&["a"]).len();
    for remaining_bytes in 0..whole {
        let folder = TempDir::new().unwrap();
        let spool = open(&folder, 1 << 20);
        spool.attach_job(1).unwrap();
        append_and_commit(&spool, &["first"]);
        append_and_commit(&spool, &["a"]);
        drop(spool);
        let path = folder.path().join("spool/0000000000000001.lines");
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len((frame(&["first"]).len() + remaining_bytes) as u64).unwrap();
        let spool = open(&folder, 1 << 20);
        append_and_commit(&spool, &["later"]);
        assert_eq!(unread_lines(&spool, 1).0, ["first", "later"], "{remaining_bytes} bytes of the second frame");
    }
}

#[test]
fn partially_written_frame_leaves_no_gap() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(1).unwrap();
    append_and_commit(&spool, &["first"]);
    // The same as `write` on a full disk: a part is written and cut off again.
    let file = spool.state().open.clone().unwrap();
    let end = spool.state().append_position.offset;
    (&*file).write_all(b"a part of a frame").unwrap();
    file.set_len(end).unwrap();
    append_and_commit(&spool, &["later"]);
    assert_eq!(unread_lines(&spool, 1).0, ["first", "later"]);
}

#[test]
fn partially_created_segment_is_created_again() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(1).unwrap();
    std::fs::write(folder.path().join("spool/0000000000000001.lines"), "").unwrap();
    append_and_commit(&spool, &["first"]);
    assert_eq!(unread_lines(&spool, 1).0, ["first"]);
}

#[test]
fn frames_that_a_failed_sync_may_have_lost_are_not_acknowledged() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(1).unwrap();
    let append = |line: &str| match spool.append(&frame(&[line])).unwrap() {
        AppendOutcome::Appended(at) => at,
        other => panic!("{other:?}"),
    };
    append_and_commit(&spool, &["first"]);
    let mut lost = Vec::new();
    for round in 0..3 {
        lost.push(append("lost"));
        spool.mark_unsynced_as_lost(&mut spool.state());
        append_and_commit(&spool, &[&format!("kept {round}")]);
        for at in &lost {
            assert!(spool.commit(*at).is_err(), "{round}");
        }
    }
    assert_eq!(unread_lines(&spool, 1).0, ["first", "kept 0", "kept 1", "kept 2"]);
}

#[test]
fn frames_given_up_after_a_failed_sync_do_not_reappear_after_a_restart() {
    for lines_after in [&[][..], &["kept"][..]] {
        let folder = TempDir::new().unwrap();
        let spool = open(&folder, 1 << 16);
        spool.attach_job(1).unwrap();
        append_and_commit(&spool, &["first"]);
        // These frames end the first segment and begin a second one.
        let long = "x".repeat(3000);
        for _ in 0..3 {
            spool.append(&frame(&[&long])).unwrap();
        }
        assert_eq!(file_names(&folder).len(), 1 + 2);
        spool.mark_unsynced_as_lost(&mut spool.state());
        for line in lines_after {
            append_and_commit(&spool, &[line]);
        }
        drop(spool);
        let found = unread_lines(&open(&folder, 1 << 16), 1).0;
        assert!(found == [&["first"], lines_after].concat(), "{} lines after {lines_after:?}", found.len());
    }
}

#[test]
fn append_fails_until_given_up_frames_are_cut_off() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(1).unwrap();
    append_and_commit(&spool, &["first"]);
    spool.append(&frame(&["lost"])).unwrap();
    // A directory in place of the segment makes its truncation fail.
    let (segment, aside) = (spool.path(1), folder.path().join("aside"));
    std::fs::rename(&segment, &aside).unwrap();
    std::fs::create_dir(&segment).unwrap();
    spool.mark_unsynced_as_lost(&mut spool.state());
    assert!(spool.append(&frame(&["refused"])).is_err());
    std::fs::remove_dir(&segment).unwrap();
    std::fs::rename(&aside, &segment).unwrap();
    append_and_commit(&spool, &["kept"]);
    assert_eq!(spool.usage.bytes(), (frame(&["first"]).len() + frame(&["kept"]).len()) as u64);
    drop(spool);
    assert_eq!(unread_lines(&open(&folder, 1 << 20), 1).0, ["first", "kept"]);
}

#[test]
fn frames_before_a_partial_frame_that_stays_are_not_acknowledged_without_a_sync() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(1).unwrap();
    append_and_commit(&spool, &["first"]);
    let AppendOutcome::Appended(unsynced) = spool.append(&frame(&["unsynced"])).unwrap() else { panic!("full") };
    // Neither a write nor a truncation succeeds on a file that is open for reading.
    spool.state().open = Some(Arc::new(File::open(spool.path(1)).unwrap()));
    assert!(spool.append(&frame(&["refused"])).is_err());
    assert!(spool.commit(unsynced).is_err());
    append_and_commit(&spool, &["kept"]);
    drop(spool);
    assert_eq!(unread_lines(&open(&folder, 1 << 20), 1).0, ["first", "kept"]);
}

#[test]
fn changed_byte_fails_the_checksum() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(1).unwrap();
    append_and_commit(&spool, &["first"]);
    append_and_commit(&spool, &["second"]);
    let path = folder.path().join("spool/0000000000000001.lines");
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(unread_lines(&spool, 1).0, ["first"]);
}

#[test]
fn concurrent_appends_are_all_durable() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 24);
    spool.attach_job(1).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let spool = &spool;
            scope.spawn(move || {
                for line in 0..50 {
                    append_and_commit(spool, &[&format!("{thread} {line}")]);
                }
            });
        }
    });
    let mut lines = unread_lines(&spool, 1).0;
    lines.sort();
    lines.dedup();
    assert_eq!(lines.len(), 400);
}

#[test]
fn planned_end_survives_a_restart_until_the_cursor_moves() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    let start = spool.attach_job(1).unwrap();
    let end = append_and_commit(&spool, &["a"]);
    spool.plan_batch(1, start, end).unwrap();
    append_and_commit(&spool, &["b"]);
    drop(spool);
    let spool = open(&folder, 1 << 20);
    assert_eq!(spool.cursor(1), Some(Cursor { start, planned_end: Some(end) }));
    spool.advance(1, end).unwrap();
    assert_eq!(spool.cursor(1), Some(Cursor::at(end)));
    drop(spool);
    assert_eq!(open(&folder, 1 << 20).cursor(1), Some(Cursor::at(end)));
}

#[test]
fn batch_of_a_detached_job_is_not_planned() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(2).unwrap();
    let start = spool.attach_job(1).unwrap();
    let end = append_and_commit(&spool, &["a"]);
    spool.detach_job(1).unwrap();
    spool.plan_batch(1, start, end).unwrap();
    assert_eq!(spool.cursor(1), None);
    let reattached = spool.attach_job(1).unwrap();
    spool.plan_batch(1, start, end).unwrap();
    assert_eq!(spool.cursor(1), Some(Cursor::at(reattached)));
}

#[test]
fn lost_frames_of_a_planned_batch_are_not_replaced_by_later_lines() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    let start = spool.attach_job(1).unwrap();
    let end = append_and_commit(&spool, &["lost"]);
    spool.plan_batch(1, start, end).unwrap();
    drop(spool);
    std::fs::remove_file(folder.path().join("spool/0000000000000001.lines")).unwrap();
    let spool = open(&folder, 1 << 20);
    assert!(append_and_commit(&spool, &["later"]) > end);
    assert_eq!(spool.locate(start).unwrap().0.segment, end.segment + 1, "later lines have another segment");
}

/// Makes the next new cursor file of the job lie on a full disk.
#[cfg(target_os = "linux")]
fn fill_disk(folder: &TempDir) {
    std::os::unix::fs::symlink("/dev/full", folder.path().join("spool/job-1.new")).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn planned_end_on_a_full_disk_is_held_in_memory_and_leaves_the_file_alone() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    let start = spool.attach_job(1).unwrap();
    let end = append_and_commit(&spool, &["a"]);
    let file = folder.path().join("spool/job-1");
    let before = std::fs::read(&file).unwrap();
    fill_disk(&folder);
    assert_eq!(spool.plan_batch(1, start, end).unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    let planned = Some(Cursor { start, planned_end: Some(end) });
    assert_eq!(spool.cursor(1), planned);
    // The next worker plans the same batch, and the disk has free space again.
    spool.plan_batch(1, start, end).unwrap();
    drop(spool);
    assert_eq!(open(&folder, 1 << 20).cursor(1), planned);
}

#[test]
#[cfg(target_os = "linux")]
fn cursor_moves_on_a_full_disk() {
    let folder = TempDir::new().unwrap();
    let spool = open(&folder, 1 << 20);
    spool.attach_job(1).unwrap();
    let end = append_and_commit(&spool, &["a"]);
    fill_disk(&folder);
    spool.advance(1, end).unwrap();
    assert_eq!(file_names(&folder), ["job-1"], "the delivered lines are removed");
    drop(spool);
    assert_eq!(open(&folder, 1 << 20).cursor(1), Some(Cursor::at(end)));
}
