package org.murmur.cli.payments;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.terminal.Numbers;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.Fields;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.cli.words.Unit;
import org.murmur.wallet.AsOf;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.WalletHistory;
import org.murmur.wallet.ledger.Replacement;
import org.murmur.wallet.ledger.TxStatus;
import org.murmur.wallet.sync.HistoryEntry;
import org.murmur.wallet.sync.HistoryPage;
import org.murmur.wallet.sync.PaymentState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code murmur history}. */
@Command(
    name = "history",
    description = "List the wallet's transactions, newest last.",
    footer = {
      "On a terminal a row has at most 80 columns, and the beginning of the txid, which the other",
      "commands accept. A pipe, -v, --csv and --json get all of it.",
      "",
      "A payment of yours that another transaction displaced is listed with what displaced it.",
      "It does not count: JSON has it apart, in 'displaced', and CSV only with --all. With",
      "--all also those that your bump or cancel replaced, that you abandoned, and payments to",
      "you that are gone.",
      "Examples:",
      "  murmur history",
      "  murmur history --limit 20",
      "  murmur history --limit 20 --before TXID",
      "  murmur history --csv > history.csv",
      "  murmur transactions --json"
    })
public final class HistoryCommand extends WalletAction {

  /** Core's DEFAULT_MEMPOOL_EXPIRY_HOURS, 336: nodes drop a transaction that waits longer. */
  private static final Duration EXPIRY = Duration.ofDays(14);

  static final int WHOLE = 64;

  /** Note on a payment that no peer is known to have, and that is to be sent. */
  private static final String UNHEARD =
      "no peer is known to have accepted it: the next `murmur sync` announces it"
          + " (`murmur abandon` frees its coins)";

  /** Note on a payment that was only signed. */
  private static final String UNSENT =
      "not sent yet: `murmur broadcast` sends it, no sync does (`murmur abandon` frees its coins)";

  private static final String CSV_HEADER =
      "txid,height,time,net_btc,net_sat,status,addresses,replaced_by,confirmations,"
          + "counterparty,fee_sat,label,state";

  /** The order to send a payment; nulls if it is none of the wallet's. */
  static final Fields<Optional<PaymentState>> ORDER =
      new Fields<Optional<PaymentState>>()
          .add("ordered", state -> state.map(PaymentState::ordered))
          .add("made_elsewhere", state -> state.map(PaymentState::elsewhere));

  /** The conflict that replaced a transaction; nulls if there is none. */
  static final Fields<Optional<Replacement>> REPLACEMENT =
      new Fields<Optional<Replacement>>()
          .add("replaced_by", by -> by.map(Replacement::txid))
          .add("replaced_how", by -> by.map(Replacement::origin))
          .add("replaced_at_height", by -> by.map(Replacement::height));

  private static final Fields<HistoryEntry> FIELDS = fields();

  /** All that programs read of an entry. */
  private static Fields<HistoryEntry> fields() {
    return new Fields<HistoryEntry>()
        .add("txid", HistoryEntry::txid)
        .add("height", HistoryEntry::height)
        .add("time", HistoryEntry::time)
        .amount("net", HistoryEntry::net)
        .add("addresses", HistoryEntry::addresses)
        .add("status", HistoryEntry::status)
        .add("state", entry -> entry.state().map(PaymentState::stage))
        .add("heard", HistoryEntry::heard)
        .add("coinbase", HistoryEntry::coinbase)
        .add("counterparty", HistoryEntry::counterparty)
        .text("label", HistoryEntry::label)
        .add("fee_sat", HistoryEntry::fee)
        .addAll(HistoryEntry::state, ORDER)
        .addAll(HistoryEntry::replacedBy, REPLACEMENT);
  }

  @Option(names = "--csv", description = "Comma-separated values with a header line.")
  private boolean csv;

  @Option(names = "--all", description = "Include all replaced, abandoned and dead transactions.")
  private boolean all;

  @Option(names = "--limit", paramLabel = "N", description = "List the N newest transactions only.")
  private @Nullable Integer limit;

  @Option(
      names = "--before",
      paramLabel = "TXID",
      description = "List only transactions that come before this one, which goes back a page.")
  private @Nullable String before;

  private Optional<HistoryPage> page(SpvWallet wallet, int most, Optional<Hash256> end) {
    WalletHistory history = all ? wallet.history().full() : wallet.history();
    return end.isPresent() ? history.before(end.get(), most) : Optional.of(history.newest(most));
  }

  @Override
  protected ExitCode run() {
    if (csv && !output().forPeople()) {
      throw Failure.usage("give one of --csv, --json and --jsonl");
    }
    int most = limit == null ? Integer.MAX_VALUE : Numbers.atLeast(1, "--limit", limit);
    try (SpvWallet wallet = open()) {
      Optional<Hash256> end =
          before == null ? Optional.empty() : Optional.of(Txids.read(wallet, "--before", before));
      AsOf<Optional<HistoryPage>> read = read(wallet, open -> page(open, most, end));
      HistoryPage page =
          read.value()
              .orElseThrow(
                  () ->
                      Failure.failed(
                          "no_such_transaction", "the wallet has no transaction " + before));
      List<HistoryEntry> entries = page.entries();
      int height = read.chain().height();
      Fields<HistoryEntry> fields =
          fields().add("confirmations", entry -> confirmations(entry, height));
      // Programs add up what they read: what does not count is apart.
      List<HistoryEntry> counted = entries.stream().filter(each -> all || counts(each)).toList();
      List<HistoryEntry> displaced =
          entries.stream().filter(each -> !all && !counts(each)).toList();
      if (csv) {
        output().exactly(fields.csv(CSV_HEADER, counted));
      } else {
        result(
            new JsonObject()
                .put("transactions", counted.stream().map(fields::json).toList())
                .put("displaced", displaced.stream().map(fields::json).toList())
                .put("older", page.older())
                .put("not_listed", page.hidden()),
            out -> {
              if (narrow()) {
                HistoryRows rows = new HistoryRows(height, output().unit());
                entries.forEach(entry -> rows.of(entry).forEach(out::println));
              } else {
                entries.forEach(entry -> out.println(line(entry, height, output().unit())));
              }
            });
      }
      if (entries.isEmpty() && output().forPeople()) {
        note((before == null ? "no transactions: " : "no older transactions: ") + output().asOf());
      }
      noteOlder(page);
      if (csv && !displaced.isEmpty()) {
        note("displaced payments do not count: --all adds them, with their status");
      }
      noteTheRest(page.hidden());
    }
    return ExitCode.DONE;
  }

  private static boolean counts(HistoryEntry entry) {
    return entry.status().counts();
  }

  private void noteOlder(HistoryPage page) {
    if (page.older() && output().forPeople()) {
      note(
          "there are older transactions; go on with --limit "
              + limit
              + " --before "
              + page.entries().get(0).txid());
    }
  }

  /** Replaced and gone payments do not count, but a note mentions them. */
  private void noteTheRest(int count) {
    if (count > 0 && output().forPeople()) {
      note(
          count
              + (count == 1 ? " more transaction was" : " more transactions were")
              + " replaced, cancelled, abandoned or dropped; --all shows "
              + (count == 1 ? "it" : "them"));
    }
  }

  /** Writes an entry in the format of the contract. */
  public static JsonObject json(HistoryEntry entry) {
    return FIELDS.json(entry);
  }

  static int confirmations(HistoryEntry entry, int height) {
    return entry.height().isPresent() ? height - entry.height().getAsInt() + 1 : 0;
  }

  /** The replacement of a transaction. The user's replacement is no double spend. */
  private static String fate(Replacement by, int digits) {
    String txid = by.txid().toDisplay().substring(0, digits);
    String block = by.height().isPresent() ? " in block " + by.height().getAsInt() : "";
    return switch (by.origin()) {
      case CANCEL -> "cancelled by " + txid + " (yours)" + block;
      case PAYMENT -> "replaced by " + txid + " (yours)" + block;
      case OTHER -> (block.isEmpty() ? "replaced by " : "double-spent by ") + txid + block;
    };
  }

  /**
   * The reason why a transaction no longer counts; empty for one that counts and that a peer has.
   */
  static String fate(
      TxStatus status,
      boolean heard,
      Optional<PaymentState> state,
      Optional<Replacement> replacement,
      Instant firstSeen,
      int digits) {
    if (replacement.isPresent()) {
      return fate(replacement.get(), digits);
    }
    return switch (status) {
      case CONFIRMED -> "";
      case PENDING -> heard ? "" : isOnlySigned(state) ? UNSENT : UNHEARD;
      case ABANDONED -> "abandoned: its coins are free; it counts again if a peer announces it";
      case REPLACED -> "replaced";
      case MISSING ->
          firstSeen.plus(EXPIRY).isBefore(Instant.now())
              ? "given up: not in a block for "
                  + EXPIRY.toHours()
                  + " hours, when nodes expire it; it may come back"
              : "dropped: the peers do not have it any more; it may come back";
      case DEAD ->
          "does not count: an input is gone, its package is larger than nodes relay, or it"
              + " creates more coins than can exist";
    };
  }

  private static boolean isOnlySigned(Optional<PaymentState> state) {
    return state.isPresent() && !state.get().ordered();
  }

  /** The reason why an entry no longer counts; empty for one that counts and that a peer has. */
  public static String fate(HistoryEntry entry) {
    return fate(entry, WHOLE);
  }

  static String fate(HistoryEntry entry, int digits) {
    return fate(
        entry.status(), entry.heard(), entry.state(), entry.replacedBy(), entry.time(), digits);
  }

  public static String line(HistoryEntry entry, Unit unit) {
    return when(entry) + notes(entry, unit);
  }

  private static String line(HistoryEntry entry, int height, Unit unit) {
    return when(entry) + Text.of("  %6d conf", confirmations(entry, height)) + notes(entry, unit);
  }

  private static String when(HistoryEntry entry) {
    return Text.of(
        "%-20s  %8s",
        entry.time().truncatedTo(ChronoUnit.SECONDS),
        entry.height().isPresent() ? entry.height().getAsInt() : Text.lower(entry.status()));
  }

  private static String notes(HistoryEntry entry, Unit unit) {
    String fate = fate(entry);
    return Text.of(
        "  %16s%s%s%s  %s",
        unit.signed(entry.net()),
        entry.label().isEmpty() ? "" : "  \"" + entry.label() + "\"",
        fate.isEmpty() ? "" : "  " + fate,
        entry.counterparty().isEmpty()
            ? addresses("  at ", entry.addresses())
            : addresses("  to ", entry.counterparty()),
        entry.txid());
  }

  private static String addresses(String word, List<String> addresses) {
    return switch (addresses.size()) {
      case 0 -> "";
      case 1 -> word + addresses.get(0);
      default -> word + addresses.get(0) + " and " + (addresses.size() - 1) + " more";
    };
  }
}
