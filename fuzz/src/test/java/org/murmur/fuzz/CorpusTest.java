package org.murmur.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Plays every input of the corpus through its target, without the fuzzer. */
@Timeout(300)
final class CorpusTest {

  private interface Target {
    void run(byte[] input) throws Exception;
  }

  private static final Map<String, Target> TARGETS =
      Map.ofEntries(
          Map.entry("Frames", Frames::fuzzerTestOneInput),
          Map.entry("Packets", Packets::fuzzerTestOneInput),
          Map.entry("Messages", Messages::fuzzerTestOneInput),
          Map.entry("MerkleBlocks", MerkleBlocks::fuzzerTestOneInput),
          Map.entry("BlockFilters", BlockFilters::fuzzerTestOneInput),
          Map.entry("Transactions", Transactions::fuzzerTestOneInput),
          Map.entry("HeaderBatches", HeaderBatches::fuzzerTestOneInput),
          Map.entry("WalletFiles", WalletFiles::fuzzerTestOneInput),
          Map.entry("WalletSyncs", WalletSyncs::fuzzerTestOneInput),
          Map.entry("Descriptors", Descriptors::fuzzerTestOneInput),
          Map.entry("KeyTexts", KeyTexts::fuzzerTestOneInput),
          Map.entry("SyncSequences", SyncSequences::fuzzerTestOneInput));

  private static final Path CORPUS = Path.of("src/test/resources/corpus");

  @TestFactory
  Stream<DynamicContainer> everyInput() {
    return TARGETS.entrySet().stream()
        .map(
            target -> {
              List<Path> inputs = inputs(CORPUS.resolve(target.getKey()));
              assertThat(inputs).as(target.getKey()).isNotEmpty();
              return DynamicContainer.dynamicContainer(
                  target.getKey(),
                  inputs.stream()
                      .map(
                          input ->
                              DynamicTest.dynamicTest(
                                  target.getKey() + "/" + input.getFileName(),
                                  () -> target.getValue().run(Files.readAllBytes(input)))));
            });
  }

  private static List<Path> inputs(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
