package org.murmur.cli.payments;

import java.util.Optional;
import java.util.regex.Pattern;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.bip37.tx.Tx;
import org.murmur.cli.peers.PeerArguments;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.wallet.SpvWallet;
import org.murmur.wallet.sync.NoUsablePeerException;
import org.murmur.wallet.sync.SyncOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code murmur broadcast}. */
@Command(
    name = "broadcast",
    description = "Send a signed transaction; say which peers fetched, have or announced it.",
    footer = {
      "Nodes refuse without a message, and do not fetch what they have. So Murmur asks each peer",
      "for the transaction afterwards: a peer that returns it has accepted it. Exit code 0: a",
      "peer has or announced it, or it is already in a block of the wallet. 1: none of these, even",
      "if a peer fetched it. 4: no peer could be asked.",
      "Examples:",
      "  murmur broadcast HEX --connect 127.0.0.1",
      "  murmur broadcast - --connect 127.0.0.1 < signed.hex",
      "  murmur broadcast TXID --connect 127.0.0.1"
    })
public final class BroadcastCommand extends WalletAction {

  /** No transaction is this short. */
  private static final Pattern TXID = Pattern.compile("[0-9a-fA-F]{64}");

  /** The magic bytes of BIP-0174, in base64 and in hex. */
  private static final Pattern PSBT = Pattern.compile("cHNidP|(?i)70736274ff");

  @Parameters(
      paramLabel = "HEX|TXID",
      description = "The signed transaction, - for stdin, or the txid of one in the wallet.")
  private String hex = "";

  @Option(names = "--again", description = "Send it even if another payment pays the same.")
  private boolean again;

  @Mixin private PeerArguments peers = new PeerArguments();

  @Override
  protected ExitCode run() throws NoUsablePeerException {
    SyncOptions options = peers.toOptions(this);
    boolean byTxid =
        TXID.matcher(hex).matches() || (Txids.isBeginning(hex) && !PSBT.matcher(hex).lookingAt());
    Optional<Tx> given = byTxid ? Optional.empty() : Optional.of(transaction());
    try (SpvWallet wallet = open()) {
      Tx tx =
          given.isPresent()
              ? given.get()
              : TxidAction.find(wallet, Txids.read(wallet, "TXID", hex)).tx();
      if (byTxid) {
        Sending.requireNotReplaced(wallet, tx);
      }
      return new Sending(this).send(wallet, tx, again, options, report -> report);
    }
  }

  /** The transaction that was written out, before a wallet is needed. */
  private Tx transaction() {
    if (PSBT.matcher(hex).lookingAt()) {
      throw Failure.failed(
          "is_psbt",
          "this is a PSBT, not a transaction: `murmur psbt finalize --broadcast FILE` sends it");
    }
    Bytes raw = Inputs.hexOrStdin("the transaction", hex, surroundings());
    Tx tx = Failure.parsed("no transaction", () -> Tx.parse(raw));
    requireSigned(tx);
    return tx;
  }

  /** Nodes refuse unsigned transactions without a message. */
  private static void requireSigned(Tx tx) {
    for (int i = 0; i < tx.inputs().size() && !tx.hasWitness(); i++) {
      if (tx.inputs().get(i).scriptSig().isEmpty()) {
        throw Failure.failed(
            "not_signed", "input " + i + " of the transaction is not signed: sign it first");
      }
    }
  }
}
