package org.murmur.cli.payments;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.Choices;
import org.murmur.cli.terminal.CommandGroup;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.terminal.KeyOptions;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.coins.keys.Address;
import org.murmur.coins.message.MessageFormat;
import org.murmur.coins.message.MessageSignature;
import org.murmur.coins.message.MessageVerdict;
import org.murmur.coins.message.MessageVerdict.NotValid;
import org.murmur.coins.message.MessageVerdict.State;
import org.murmur.coins.message.MessageVerdict.Valid;
import org.murmur.coins.message.MessageVerifier;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code murmur message}: texts signed with the key of an address. */
@Command(
    name = "message",
    description = "Sign a text with the key of an address, or verify a signature (BIP322).",
    subcommands = {MessageCommands.Sign.class, MessageCommands.Verify.class},
    footer = {
      "Examples:",
      "  murmur message sign ADDRESS \"I am the owner of this address\"",
      "  murmur message verify ADDRESS SIGNATURE \"I am the owner of this address\""
    })
public final class MessageCommands extends CommandGroup {

  private static final String STDIN = "-";

  @Command(
      name = "sign",
      description = "Sign a text, and print the signature.",
      footer = {
        "Sign only what you have read and mean: a signature shows everybody that the address is",
        "yours. Without --format it is simple for native segwit (bip84, bip86), full for bip49,",
        "and legacy for bip44, which every program verifies.",
        "",
        "The text is signed as it is. Of stdin, one line end at the end is not part of it.",
        "Examples:",
        "  murmur message sign ADDRESS \"I am the owner of this address\"",
        "  murmur message sign ADDRESS - < text.txt"
      })
  static final class Sign extends WalletAction {

    @Parameters(index = "0", paramLabel = "ADDRESS", description = "An address of the wallet.")
    private String address = "";

    @Parameters(index = "1", paramLabel = "TEXT", description = "The text, or - for stdin.")
    private String text = "";

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        completionCandidates = Choices.MessageFormats.class,
        description = "simple, full or legacy (default: what most programs verify).")
    private @Nullable String format;

    @Mixin private KeyOptions keys = new KeyOptions();

    @Override
    protected ExitCode run() {
      if (text.equals(STDIN) && keys.takesStdin()) {
        throw Failure.usage("stdin (-) can be read once only");
      }
      Optional<MessageFormat> wanted =
          Failure.checked("--format", () -> Optional.ofNullable(format).map(MessageFormat::ofName));
      String message = message(text, this);
      MessageSignature signature;
      try (SpvWallet wallet = openForItself()) {
        signature = sign(wallet, message, wanted);
      }
      if (output().forPeople()) {
        note("format " + signature.format().word() + "; it links " + address + " to you");
      }
      return result(
          about()
              .put("address", address)
              .put("message", message)
              .put("format", signature.format().word())
              .put("signature", signature.text()),
          out -> out.println(signature.text()));
    }

    private MessageSignature sign(
        SpvWallet wallet, String message, Optional<MessageFormat> wanted) {
      Address signer = Address.parse(address, wallet.keyNetwork());
      return keys.unlocked(
          surroundings(),
          wallet,
          credentials ->
              wanted.isPresent()
                  ? wallet.keys().signMessage(signer, message, wanted.get(), credentials)
                  : wallet.keys().signMessage(signer, message, credentials));
    }
  }

  @Command(
      name = "verify",
      description = "Verify the signature of a text. Needs no wallet and no network.",
      footer = {
        "Exit code 0 if it is valid, 1 if not. inconclusive: no error was found, but the address",
        "has a script that is not run here, or the signature claims coins. Treat it as not valid.",
        "",
        "Addresses of all networks are taken, and signatures of other programs: simple and full",
        "(BIP322, with and without prefix), and legacy ones of P2PKH addresses.",
        "Examples:",
        "  murmur message verify ADDRESS SIGNATURE \"I am the owner of this address\"",
        "  murmur message verify ADDRESS SIGNATURE - < text.txt"
      })
  static final class Verify extends Action {

    @Parameters(index = "0", paramLabel = "ADDRESS", description = "The address that signed.")
    private String address = "";

    @Parameters(index = "1", paramLabel = "SIGNATURE", description = "The signature, base64.")
    private String signature = "";

    @Parameters(index = "2", paramLabel = "TEXT", description = "The text, or - for stdin.")
    private String text = "";

    @Override
    protected ExitCode run() {
      MessageVerdict verdict =
          MessageVerifier.of(Address.parse(address), message(text, this)).verify(signature);
      String state = Text.lower(verdict.state());
      boolean valid = verdict.state() == State.VALID;
      JsonObject json =
          new JsonObject()
              .put("valid", valid)
              .put("state", state)
              .put("reason", reason(verdict))
              .put("address", address);
      if (verdict instanceof Valid facts) {
        json.put("format", facts.format().word())
            .put("lock_time", facts.lockTime())
            .put("sequence", facts.sequence());
      }
      result(json, out -> out.println(valid ? state + time(verdict) : "NOT valid" + why(verdict)));
      return valid ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static @Nullable String reason(MessageVerdict verdict) {
      return verdict instanceof NotValid refused ? Text.lower(refused.reason()) : null;
    }

    private static String why(MessageVerdict verdict) {
      String inconclusive = verdict.state() == State.INCONCLUSIVE ? " (inconclusive)" : "";
      return inconclusive + ": " + ((NotValid) verdict).reason().text();
    }

    /** The signer may have set a time (BIP-0322). */
    private static String time(MessageVerdict verdict) {
      Valid facts = (Valid) verdict;
      return facts.lockTime() == 0 && facts.sequence() == 0
          ? ""
          : " at time " + facts.lockTime() + " and age " + facts.sequence();
    }
  }

  private static String message(String argument, Action action) {
    return Inputs.textOrStdin("the text", argument, action.surroundings());
  }
}
