package org.murmur.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run goes on from the trials that it wrote, and ends with the same bytes. */
class JournalTest {

  private static final Study STUDY = Toy.study(7, 20);

  @TempDir Path folder = Path.of("");

  private static String json(StudyResult result) {
    return ResultFiles.toJson(result, result.conclude(STUDY));
  }

  private static StudyResult run(Path file, Watcher watcher) throws Exception {
    try (Journal journal = Journal.open(file, STUDY, Shard.WHOLE)) {
      return new StudyRun(STUDY, Shard.WHOLE, 1, watcher).run(journal);
    }
  }

  /** The file as it was when some trials were over: what a kill leaves. */
  private Path killedAfter(int trials) throws Exception {
    Path file = folder.resolve("all");
    Path killed = folder.resolve("killed");
    AtomicInteger over = new AtomicInteger();
    StudyResult ignored =
        run(
            file,
            (experiment, done, all) -> {
              if (done > 0 && over.incrementAndGet() == trials) {
                copy(file, killed);
              }
              return true;
            });
    return killed;
  }

  private static void copy(Path from, Path to) {
    try {
      Files.copy(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 27, 40})
  void goesOnToTheSameBytes(int trials) throws Exception {
    String whole = json(new StudyRun(STUDY, Shard.WHOLE, 1, Watcher.NONE).run());
    Path killed = killedAfter(trials);
    AtomicInteger ran = new AtomicInteger();
    try (Journal journal = Journal.open(killed, STUDY, Shard.WHOLE)) {
      assertThat(journal.trials()).isEqualTo(trials);
    }
    StudyResult resumed =
        run(
            killed,
            (experiment, done, all) -> {
              ran.addAndGet(done > 0 ? 1 : 0);
              return true;
            });
    assertThat(ran.get()).isEqualTo(40 - trials);
    assertThat(json(resumed)).isEqualTo(whole);
    assertThat(Files.readString(killed)).isEqualTo(Files.readString(folder.resolve("all")));
  }

  @Test
  void dropsALineThatWasCut() throws Exception {
    Path killed = killedAfter(5);
    byte[] bytes = Files.readAllBytes(killed);
    String whole = json(new StudyRun(STUDY, Shard.WHOLE, 1, Watcher.NONE).run());
    for (int length : new int[] {0, 1, 100, bytes.length / 2, bytes.length - 1}) {
      Path cut = folder.resolve("cut" + length);
      Files.write(cut, Arrays.copyOf(bytes, length));
      assertThat(json(run(cut, Watcher.NONE))).as("cut at %s", length).isEqualTo(whole);
      assertThat(Files.readString(cut)).isEqualTo(Files.readString(folder.resolve("all")));
    }
  }

  @Test
  void knowsWhetherAnythingIsToResume() throws Exception {
    Path file = folder.resolve("none");
    assertThat(Journal.holdsTrials(file)).isFalse();
    Journal.open(file, STUDY, Shard.WHOLE).close();
    assertThat(Journal.holdsTrials(file)).isFalse();
    assertThat(Journal.holdsTrials(killedAfter(1))).isTrue();
  }

  @Test
  void refusesAnotherRun() throws Exception {
    Path killed = killedAfter(3);
    assertThatThrownBy(() -> Journal.open(killed, Toy.study(8, 20), Shard.WHOLE))
        .hasMessage("the interrupted run had seed 7, this one has 8");
    assertThatThrownBy(() -> Journal.open(killed, STUDY, new Shard(1, 2)))
        .hasMessage("the interrupted run had shard \"1/1\", this one has \"1/2\"");
    Path other = Files.writeString(folder.resolve("other"), "{}\n");
    assertThatThrownBy(() -> Journal.open(other, STUDY, Shard.WHOLE))
        .isInstanceOf(IllegalArgumentException.class);
    Path damaged =
        Files.writeString(
            folder.resolve("damaged"), Files.readString(killed).replace("\"trial\"", "\"tri"));
    assertThatThrownBy(() -> Journal.open(damaged, STUDY, Shard.WHOLE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a line of JSON");
  }
}
