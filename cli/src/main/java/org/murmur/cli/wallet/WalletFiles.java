package org.murmur.cli.wallet;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.murmur.cli.terminal.GlobalOptions;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Failures;
import org.murmur.cli.words.Text;

/** Locations of wallets: {@code DATADIR/NETWORK/NAME.sqlite}, one file each. */
public record WalletFiles(Path datadir, String network) {

  private static final String SUFFIX = ".sqlite";

  // No separators and no leading dot: a name stays inside its folder on every platform.
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,63}");

  Path folder() {
    return datadir.resolve(network);
  }

  /** Returns the path of a wallet with this name, which may not exist. */
  public Path file(String name) {
    if (!NAME.matcher(name).matches()) {
      throw Failure.usage(
          "wallet name '"
              + name
              + "': expected letters, digits, '.', '_' and '-', at most 64, not beginning with"
              + " '.' or '-'");
    }
    return folder().resolve(name + SUFFIX);
  }

  /** The file of the wallet that -w names. */
  Path existing(String name) {
    return existing(
        name,
        "create one with `murmur create`, or restore one from its words with `murmur restore`",
        " (choose with -w)");
  }

  /** The file of the wallet that an argument names. */
  Path named(String name) {
    return existing(name, "there is none", "");
  }

  private Path existing(String name, String none, String choose) {
    Path file = file(name);
    if (Files.isSymbolicLink(file) && !Files.exists(file)) {
      throw Failure.failed(
          "no_such_wallet",
          file + " is a link to a file that is not there: mount its disk, or delete the link");
    }
    if (!Files.exists(file)) {
      throw noSuchWallet(name, none, choose);
    }
    return file;
  }

  /** The file of a new wallet. Creates its folder. */
  Path fresh(String name) {
    Path file = file(name);
    if (Files.exists(file)) {
      throw Failure.failed(
          "wallet_exists",
          Text.of(
              "there is a wallet '%s' on %s already: %s; choose another name",
              name, network, file));
    }
    try {
      createPrivately();
    } catch (IOException e) {
      throw Failure.failed(
          "unwritable",
          Text.of(
              "cannot create the folder %s (%s); choose another folder with --datadir",
              folder(), Failures.reason(e)),
          e);
    }
    return file;
  }

  /**
   * Creates the folder for its owner only, because any user who can open a wallet's lock file can
   * hold the lock. An existing folder of ours is restricted as well; its parent is not changed.
   */
  private void createPrivately() throws IOException {
    if (!Files.getFileStore(existingAbove()).supportsFileAttributeView("posix")) {
      Files.createDirectories(folder());
      return;
    }
    Set<PosixFilePermission> owner = PosixFilePermissions.fromString("rwx------");
    Files.createDirectories(folder(), PosixFilePermissions.asFileAttribute(owner));
    try {
      if (!Files.getPosixFilePermissions(folder()).equals(owner)) {
        Files.setPosixFilePermissions(folder(), owner);
      }
    } catch (FileSystemException e) {
      // The folder belongs to another user, who sets its permissions.
    }
  }

  private Path existingAbove() {
    Path above = folder().toAbsolutePath();
    while (!Files.exists(above) && above.getParent() != null) {
      above = above.getParent();
    }
    return above;
  }

  private Failure noSuchWallet(String name, String none, String choose) {
    StringBuilder text =
        new StringBuilder("no wallet '" + name + "' on " + network + " in " + datadir + "; ");
    List<String> others = names();
    if (others.isEmpty()) {
      text.append(none);
    } else {
      text.append("there ").append(others.size() == 1 ? "is " : "are ");
      text.append(String.join(", ", others)).append(choose);
    }
    for (String other : GlobalOptions.NETWORKS) {
      if (!other.equals(network) && Files.exists(new WalletFiles(datadir, other).file(name))) {
        text.append("; there is one of that name on ").append(other);
        text.append(" (--network ").append(other).append(')');
      }
    }
    return Failure.failed("no_such_wallet", text.toString());
  }

  List<String> names() {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(), "*" + SUFFIX)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        names.add(name.substring(0, name.length() - SUFFIX.length()));
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (IOException e) {
      throw Failure.failed("unreadable", "cannot read " + folder() + ": " + Failures.reason(e), e);
    }
    Collections.sort(names);
    return names;
  }
}
