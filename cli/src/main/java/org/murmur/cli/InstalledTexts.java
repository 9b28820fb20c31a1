package org.murmur.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.murmur.cli.terminal.Root;
import org.murmur.cli.terminal.Surroundings;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Writes the manual page and the completion scripts for a package ({@code tools/package}). */
final class InstalledTexts {

  private InstalledTexts() {}

  /**
   * Writes the files where an installation has them, below a folder that contains {@code share},
   * for instance /usr.
   */
  public static void main(String[] args) throws IOException {
    Path share = Path.of(args[0], "share");
    CommandSpec root = root();
    write(share.resolve("man/man1/murmur.1"), ManPage.of(root, Root.Version.name()));
    write(share.resolve("bash-completion/completions/murmur"), Completions.of("bash", root));
    write(share.resolve("zsh/vendor-completions/_murmur"), Completions.zshFunction(root));
    write(share.resolve("fish/vendor_completions.d/murmur.fish"), Completions.of("fish", root));
  }

  static CommandSpec root() {
    CommandLine line = new CommandLine(new Root(Surroundings.ofProcess()));
    Commands.addTo(line, List.of("help"));
    return line.getCommandSpec();
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
