package org.murmur.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.sync.SyncEvent;
import org.murmur.wallet.NoUsablePeerException;
import org.murmur.wallet.WalletException;
import org.murmur.wallet.keys.AddressException;
import org.murmur.wallet.keys.DescriptorException;
import org.murmur.wallet.keys.MnemonicException;

/** Turns what the library throws into what a person can act on. */
final class Failures {

  private Failures() {}

  /** The failure behind an exception. */
  static Failure of(Throwable thrown) {
    if (thrown instanceof Failure failure) {
      return failure;
    }
    if (thrown instanceof WalletException wallet) {
      return ofWallet(wallet);
    }
    if (thrown instanceof NoUsablePeerException noPeer) {
      return new Failure(ExitCode.NO_USABLE_PEER, "no_usable_peer", noUsablePeer(noPeer), noPeer)
          .with("search", search(noPeer));
    }
    if (thrown instanceof MnemonicException) {
      return new Failure(ExitCode.FAILED, "bad_mnemonic", message(thrown), thrown);
    }
    if (thrown instanceof AddressException) {
      return new Failure(ExitCode.FAILED, "bad_address", message(thrown), thrown);
    }
    if (thrown instanceof DescriptorException) {
      return new Failure(ExitCode.FAILED, "bad_descriptor", message(thrown), thrown);
    }
    if (thrown instanceof IOException disk) {
      return new Failure(ExitCode.FAILED, "io", reason(disk), thrown);
    }
    if (thrown instanceof OutOfMemoryError) {
      return new Failure(
          ExitCode.FAILED, "out_of_memory", "out of memory; set MURMUR_HEAP, e.g. 1g", thrown);
    }
    return new Failure(
        ExitCode.FAILED,
        "internal",
        "internal error, please report it: "
            + thrown.getClass().getSimpleName()
            + ": "
            + message(thrown)
            + " (-v -v shows where)",
        thrown);
  }

  private static Failure ofWallet(WalletException thrown) {
    String kind =
        switch (thrown.kind()) {
          case EXISTS -> "wallet_exists";
          case NOT_FOUND -> "not_found";
          case LOCKED -> "wallet_locked";
          case WRONG_PASSWORD -> "wrong_password";
          case NO_SECRET -> "no_secret";
          case WRONG_NETWORK -> "wrong_network";
          case DISK_FULL -> "disk_full";
          case READ_ONLY -> "read_only";
          case CORRUPT -> "corrupt";
          case BAD_INPUT -> "bad_input";
          case IO -> "io";
          case NEWER_FORMAT -> "newer_format";
          case KNOWS_FILTER -> "no_usable_peer";
        };
    ExitCode code =
        thrown.kind() == WalletException.Kind.KNOWS_FILTER
            ? ExitCode.NO_USABLE_PEER
            : ExitCode.FAILED;
    return new Failure(code, kind, message(thrown), thrown);
  }

  /** What stood in the way, and what to do about it on a node of one's own. */
  private static String noUsablePeer(NoUsablePeerException thrown) {
    String detail = message(thrown);
    if (thrown.search().isPresent() && thrown.kind() != SyncEvent.NoUsablePeer.Kind.PROXY) {
      return notFound(detail, thrown.kind());
    }
    return switch (thrown.kind()) {
      case UNREACHABLE -> detail + unreachable(detail);
      case PROXY ->
          detail
              + (detail.contains("cannot be reached")
                  ? ". Is it running, and does it listen there (Tor: 127.0.0.1:9050, with the Tor"
                      + " Browser 127.0.0.1:9150)?"
                  : (detail.endsWith("?") ? "" : ".")
                      + " --proxy takes a SOCKS5 proxy such as Tor's.")
              + " Nothing was sent around it";
      case NO_BLOOM ->
          detail
              + ". On a node of your own, put peerbloomfilters=1 into bitcoin.conf, or give this"
              + " program the permission with whitebind=noban,bloomfilter@ADDRESS:PORT (noban:"
              + " it tells at once what is unconfirmed; whitelist does nothing for a node bound to"
              + " loopback), and restart it";
      case WRONG_NETWORK ->
          detail
              + ". It does not speak "
              + thrown.report().network()
              + ": --network says which network is meant"
              + (thrown.report().network().name().startsWith("signet")
                  ? ", --signet-challenge which signet of one's own,"
                  : ",")
              + " --connect HOST:PORT where it listens";
      case NO_GUARD -> detail + ". What was synced is kept";
      case LOST -> detail + lost(detail);
    };
  }

  /** What to do on a node of one's own that did not serve to the end. */
  private static String lost(String detail) {
    if (detail.contains("maxuploadtarget")) {
      return ". On a node of your own raise maxuploadtarget or take it out (0: no limit), or give this"
          + " program the permission with whitebind=download@ADDRESS:PORT; else it serves again within"
          + " a day. What was synced is kept";
    }
    if (detail.contains("pruned")) {
      return ". A wallet whose birthday lies in what was pruned needs a node with prune=0, or another"
          + " peer, once; for the blocks of the last two days a pruned node will do. What was synced is"
          + " kept";
    }
    if (detail.contains("still syncing")) {
      return ". A node of your own serves when it is synced (bitcoin-cli getblockchaininfo: blocks and"
          + " headers). What was synced is kept";
    }
    return ". What was synced is kept; `murmur sync` goes on from there";
  }

  /** What to do when nobody was named and nobody of use was found. */
  private static String notFound(String detail, SyncEvent.NoUsablePeer.Kind kind) {
    return detail
        + switch (kind) {
          case UNREACHABLE ->
              ". Is there a network, and does no firewall stand in the way? --connect HOST[:PORT]"
                  + " names a node of your own";
          case NO_BLOOM ->
              ". Few nodes serve filtered blocks; try again later, ask others with --seed-node"
                  + " HOST[:PORT], or name a node of your own with --connect (it needs"
                  + " peerbloomfilters=1 in bitcoin.conf)";
          default -> ". What was synced is kept; `murmur sync` goes on from there";
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
                    .put("seeds_asked", search.seedsAsked())
                    .put("seeds_answered", search.seedsAnswered())
                    .put("peers_told", search.sharedAddresses()))
        .orElse(null);
  }

  private static String unreachable(String detail) {
    if (detail.contains("cannot be resolved") && !detail.contains("; ")) {
      return ". Is the name spelled right, and is there a network?";
    }
    if (detail.contains("proxy") || detail.contains("onion service")) {
      return ". Is the node running, and does the proxy reach it? A node of your own on this machine"
          + " or network is called without --proxy";
    }
    if (detail.contains("no hello in") && !detail.contains("; ")) {
      return ". Something takes connections there but does not say hello as a node does: is it the port"
          + " for peers (-port), not that for commands (-rpcport), and is the node not just starting?";
    }
    return ". Is the node running, does it listen (-listen=1) on that address and port (-bind,"
        + " -port), and does no firewall stand between?";
  }

  /** File systems name the file as the message and say what is wrong by the type alone. */
  static String reason(IOException thrown) {
    if (!(thrown instanceof FileSystemException)) {
      return message(thrown);
    }
    String type = thrown.getClass().getSimpleName().replace("Exception", "");
    String words = type.replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
    return words + ": " + message(thrown);
  }

  static String message(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getSimpleName() : message;
  }

  /** Messages start in lower case, behind the program's name. */
  static String lowerFirst(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return "wrong usage";
    }
    return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
  }
}
