package org.murmur.cli.words;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.coins.keys.AddressException;
import org.murmur.coins.keys.DescriptorException;
import org.murmur.coins.keys.InvalidMnemonicException;
import org.murmur.coins.message.MessageException;
import org.murmur.coins.psbt.PsbtException;
import org.murmur.coins.uri.PaymentUriException;
import org.murmur.wallet.failure.WalletException;
import org.murmur.wallet.pay.PaymentRefusedException;
import org.murmur.wallet.sync.NoUsablePeerException;

/** Translates the library's exceptions into failures with advice. */
public final class Failures {

  private Failures() {}

  public static Failure of(Throwable thrown, Unit unit) {
    if (thrown instanceof Failure failure) {
      return failure;
    }
    if (thrown instanceof WalletException wallet) {
      return ofWallet(wallet);
    }
    if (thrown instanceof PaymentRefusedException refused) {
      return NoticeText.failure(refused, unit);
    }
    if (thrown instanceof NoUsablePeerException noPeer) {
      return new Failure(ExitCode.NO_USABLE_PEER, "no_usable_peer", Advice.of(noPeer), noPeer)
          .with("search", search(noPeer));
    }
    if (thrown instanceof InvalidMnemonicException) {
      return Failure.failed("bad_mnemonic", message(thrown), thrown);
    }
    if (thrown instanceof AddressException) {
      return Failure.failed("bad_address", message(thrown), thrown);
    }
    if (thrown instanceof PaymentUriException) {
      return Failure.failed("bad_uri", message(thrown), thrown);
    }
    if (thrown instanceof DescriptorException) {
      return Failure.failed("bad_descriptor", message(thrown), thrown);
    }
    if (thrown instanceof PsbtException psbt) {
      return Failure.failed(Text.lower(psbt.reason()), "PSBT refused: " + message(thrown), thrown);
    }
    if (thrown instanceof MessageException refused) {
      return Failure.failed(
          Text.lower(refused.reason()), "the message was not signed: " + message(thrown), thrown);
    }
    if (thrown instanceof IOException disk) {
      String file = disk instanceof FileSystemException of ? of.getFile() + ": " : "";
      return Failure.failed("io", file + reason(disk), thrown);
    }
    if (thrown instanceof OutOfMemoryError) {
      return Failure.failed(
          "out_of_memory",
          "out of memory: set the environment variable MURMUR_HEAP to a larger size, such as 1g",
          thrown);
    }
    return Failure.failed(
        "internal",
        Text.of(
            "internal error, please report it: %s: %s (-v -v shows where)",
            thrown.getClass().getSimpleName(), message(thrown)),
        thrown);
  }

  private static Failure ofWallet(WalletException thrown) {
    String message = Advice.of(thrown);
    return switch (thrown.kind()) {
      case KNOWS_FILTER -> new Failure(ExitCode.NO_USABLE_PEER, "no_usable_peer", message, thrown);
      case EXISTS, LOCKED, MISSING ->
          Failure.failed("wallet_" + Text.lower(thrown.kind()), message, thrown);
      default -> Failure.failed(Text.lower(thrown.kind()), message, thrown);
    };
  }

  private static @Nullable JsonObject search(NoUsablePeerException thrown) {
    return thrown
        .search()
        .map(
            search ->
                new JsonObject()
                    .put("known", search.known())
                    .put("called", search.called())
                    .put("reached", search.reached())
                    .put("bloom", search.filtering())
                    .put("block_filters", search.compact())
                    .put("seeds_asked", search.seedsAsked())
                    .put("seeds_answered", search.seedsAnswered())
                    .put("built_in_asked", search.entryNodes())
                    .put("peers_told", search.sharedAddresses()))
        .orElse(null);
  }

  /**
   * Describes a file error, for a message that names the file: that of the exception may be the
   * file alone, whose type gives the error.
   */
  public static String reason(IOException thrown) {
    if (!(thrown instanceof FileSystemException file)) {
      return message(thrown);
    }
    String type = thrown.getClass().getSimpleName().replace("Exception", "");
    return file.getReason() == null
        ? type.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT)
        : file.getReason();
  }

  /** Returns the message of an exception, or its type if it has none. */
  public static String message(Throwable thrown) {
    String message = thrown instanceof WalletException of ? of.text() : thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  /** Changes the first letter to lower case, because the message follows the program's name. */
  public static String lowerFirst(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return "wrong usage";
    }
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }
}
