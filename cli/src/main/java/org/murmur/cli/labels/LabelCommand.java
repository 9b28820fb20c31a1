package org.murmur.cli.labels;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.bytes.Hash256;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.Inputs;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.wallet.Txids;
import org.murmur.cli.wallet.WalletAction;
import org.murmur.cli.words.Amounts;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.cli.words.Text;
import org.murmur.coins.keys.Address;
import org.murmur.coins.label.Label;
import org.murmur.coins.label.LabelImport;
import org.murmur.coins.label.LabelMap;
import org.murmur.coins.label.LabelRef;
import org.murmur.coins.label.LabelType;
import org.murmur.wallet.SpvWallet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code murmur label}. */
@Command(
    name = "label",
    description = "Label transactions, addresses and coins; export and import labels (BIP329).",
    footer = {
      "  label                    lists all labels",
      "  label WHAT               shows the label of a TXID, ADDRESS or coin TXID:VOUT",
      "  label WHAT TEXT          sets it; an empty TEXT removes it",
      "  label export FILE        writes labels and frozen coins (BIP329); - for stdout",
      "  label import FILE        adds those of a file; - for stdin",
      "",
      "An import changes all or nothing of the wallet's file. It names each line that is no label,",
      "takes the others, and ends with exit code 1 then. Labels of other wallets are kept.",
      "Examples:",
      "  murmur label TXID rent for May",
      "  murmur label ADDRESS \"the shop\"",
      "  murmur label TXID \"\"",
      "  murmur label export labels.jsonl"
    })
public final class LabelCommand extends WalletAction {

  private static final Pattern TXID = Pattern.compile("[0-9a-fA-F]{64}");
  private static final String STDIO = "-";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "WHAT",
      description = "A txid, an address, a coin TXID:VOUT, or export or import.")
  private @Nullable String what;

  @Parameters(
      index = "1..*",
      paramLabel = "TEXT",
      description = "The label, or the file of an export or import.")
  private List<String> words = new ArrayList<>();

  @Mixin private ForceOption force = new ForceOption();

  @Override
  protected ExitCode run() throws IOException {
    if (force.given() && !"export".equals(what)) {
      throw Failure.usage("--force needs label export FILE");
    }
    if (what == null) {
      return list();
    }
    if (what.equals("export")) {
      return export(file());
    }
    if (what.equals("import")) {
      return load(file());
    }
    LabelRef ref = ref(what);
    return words.isEmpty() ? show(ref) : set(ref, String.join(" ", words));
  }

  private String file() {
    if (words.size() != 1) {
      throw Failure.usage(
          "label "
              + what
              + ": expected one FILE, or - for "
              + ("export".equals(what) ? "stdout" : "stdin"));
    }
    return words.get(0);
  }

  private LabelRef ref(String text) {
    int colon = text.indexOf(':');
    if (Txids.isBeginning(colon < 0 ? text : text.substring(0, colon))) {
      try (SpvWallet wallet = openForItself()) {
        return colon < 0
            ? LabelRef.of(Txids.read(wallet, "TXID", text))
            : LabelRef.of(Txids.readOutPoint(wallet, "TXID:VOUT", text));
      }
    }
    if (TXID.matcher(text).matches()) {
      return LabelRef.of(Hash256.ofDisplay(text));
    }
    if (colon >= 0) {
      return LabelRef.of(Inputs.outPoint("TXID:VOUT", text));
    }
    return LabelRef.of(Address.parse(text, keyNetwork()));
  }

  private ExitCode list() {
    List<Label> labels;
    LabelMap inForce;
    try (SpvWallet wallet = openForItself()) {
      labels = wallet.labels().list();
      inForce = wallet.labels().inForce();
    }
    result(
        new JsonObject()
            .put(
                "labels",
                labels.stream().map(label -> json(label, inForce.of(label.ref()))).toList()),
        out -> labels.forEach(label -> print(label, inForce.of(label.ref()), out)));
    if (labels.isEmpty() && output().forPeople()) {
      note("no labels");
    }
    return ExitCode.DONE;
  }

  private static void print(Label label, Label inForce, PrintStream out) {
    out.println(
        Text.of(
            "%-6s  %s  %s%s",
            label.ref().type().word(),
            label.ref().text(),
            label.text(),
            inForce.frozen() ? "  (frozen)" : ""));
  }

  private static JsonObject json(Label label, Label inForce) {
    JsonObject json =
        new JsonObject()
            .put("type", label.ref().type().word())
            .put("ref", label.ref().text())
            .putText("label", label.text())
            .putText("origin", label.origin());
    return label.ref().type() == LabelType.OUTPUT ? json.put("frozen", inForce.frozen()) : json;
  }

  private ExitCode show(LabelRef ref) {
    Label label;
    try (SpvWallet wallet = openForItself()) {
      label = wallet.labels().of(ref);
    }
    result(
        json(label, label),
        out -> {
          if (!label.text().isEmpty()) {
            out.println(label.text());
          }
        });
    if (label.text().isEmpty() && output().forPeople()) {
      note("no label");
    }
    return ExitCode.DONE;
  }

  private ExitCode set(LabelRef ref, String text) {
    boolean changed;
    Label label;
    try (SpvWallet wallet = openForItself()) {
      changed = wallet.labels().set(ref, text);
      label = wallet.labels().of(ref);
      noteUnknown(wallet, ref);
    }
    return result(
        json(label, label).put("changed", changed),
        out ->
            out.println(
                label.text().isEmpty()
                    ? (changed ? "label removed" : "there was no label")
                    : (changed ? "label set: " : "that is the label already: ") + label.text()));
  }

  /** A mistyped txid would hide the label. Addresses have a checksum. */
  private void noteUnknown(SpvWallet wallet, LabelRef ref) {
    if (ref.type() != LabelType.ADDR) {
      Hash256 txid = Hash256.ofDisplay(ref.text().substring(0, 64));
      if (wallet.history().transaction(txid).isEmpty()) {
        note("the wallet has no transaction " + txid + " so far; the label is kept");
      }
    }
  }

  private ExitCode export(String file) throws IOException {
    boolean stdout = file.equals(STDIO);
    if (stdout && !output().forPeople()) {
      throw Failure.usage("label export - prints JSON lines: omit --json and --jsonl");
    }
    OutputFile target =
        OutputFile.named("label export", file, OutputFile.Kind.LABELS, force.given());
    List<String> lines;
    try (SpvWallet wallet = openForItself()) {
      lines = wallet.labels().exportLines();
    }
    String text = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    if (stdout) {
      output().exactly(text);
      return ExitCode.DONE;
    }
    target.write(text);
    return result(
        new JsonObject().put("file", file).put("records", lines.size()),
        out -> out.println(Amounts.count(lines.size(), "record") + " written to " + file));
  }

  private ExitCode load(String file) {
    List<String> lines = Inputs.text("the labels", file, surroundings()).lines().toList();
    LabelImport done;
    try (SpvWallet wallet = openForItself()) {
      done = wallet.labels().importLines(lines);
    }
    if (output().forPeople()) {
      done.skipped().forEach(line -> note("line " + line.line() + " skipped: " + line.reason()));
    }
    result(
        new JsonObject()
            .put("read", done.read())
            .put("changed", done.changed().size())
            .put("skipped", done.skipped().stream().map(LabelCommand::json).toList()),
        out ->
            out.println(
                Text.of(
                    "%s read, %s new or changed, %s skipped",
                    Amounts.count(done.read(), "record"),
                    done.changed().size(),
                    Amounts.count(done.skipped().size(), "line"))));
    return done.isWhole() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static JsonObject json(LabelImport.Skipped line) {
    return new JsonObject()
        .put("line", line.line())
        .put("unknown_type", line.unknownType())
        .put("reason", line.reason());
  }
}
