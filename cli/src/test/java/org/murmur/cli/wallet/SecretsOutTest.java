package org.murmur.cli.wallet;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.murmur.cli.MainCode;
import org.murmur.cli.Ran;
import org.murmur.cli.RestoredWallet;
import org.murmur.cli.words.ExitCode;
import org.murmur.regtest.RegtestNode;
import org.murmur.wallet.WalletKeys;
import picocli.CommandLine;

/** The doors through which keys leave a wallet: they are open whatever else the file has lost. */
class SecretsOutTest extends RestoredWallet {

  /** What makes the wallet, and nobody can bring back: no answer without it. */
  private static final Set<String> NEEDED = Set.of("meta", "chain", "seal");

  private static final Set<String> GIVES = Set.of("mnemonic", "xpubs");

  /** Every value that {@code murmur export} takes, from its completion. */
  private static List<String> exports() {
    List<String> all = new ArrayList<>();
    new CommandLine(new ExportCommand())
        .getCommandSpec()
        .positionalParameters()
        .get(0)
        .completionCandidates()
        .forEach(all::add);
    return all;
  }

  private Path file() {
    return datadir.resolve("regtest/default.sqlite");
  }

  private List<String> tables() throws Exception {
    List<String> tables = new ArrayList<>();
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement();
        ResultSet rows = s.executeQuery("SELECT name FROM sqlite_master WHERE type = 'table'")) {
      while (rows.next()) {
        tables.add(rows.getString(1));
      }
    }
    tables.removeIf(name -> NEEDED.contains(name) || name.startsWith("sqlite_"));
    return tables;
  }

  private List<String> answers() {
    List<String> answers = new ArrayList<>();
    for (String what : exports()) {
      answers.add(murmur("export", what).exits(ExitCode.DONE).out());
      answers.add(murmur("--json", "export", what).exits(ExitCode.DONE).out());
    }
    return answers;
  }

  @Test
  void exportWorksWhateverElseIsDamaged() throws Exception {
    try (RegtestNode node = node()) {
      murmur("sync", "--connect", node.address()).exits(ExitCode.DONE);
    }
    byte[] whole = Files.readAllBytes(file());
    List<String> truth = answers();
    assertThat(truth).hasSize(6);
    List<String> tables = tables();
    assertThat(tables).contains("headers", "script", "block", "scan_row", "peer", "label");
    for (String table : tables) {
      String noise = "UPDATE " + table + " SET data = x'00ff'";
      for (String damage : List.of(noise, "DELETE FROM " + table)) {
        Files.write(file(), whole);
        try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
            Statement s = db.createStatement()) {
          s.executeUpdate(damage);
        }
        assertThat(answers()).as(damage).isEqualTo(truth);
      }
    }
    Files.write(file(), whole);
    Path password = Files.writeString(datadir.resolve("password"), "correct horse");
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement s = db.createStatement()) {
      s.executeUpdate("UPDATE headers SET sum = sum - 1");
    }
    murmur("balance").exits(ExitCode.FAILED);
    assertThat(answers()).isEqualTo(truth);
    murmur("passwd", "--new-password-file", password.toString()).exits(ExitCode.DONE);
    Ran opened = murmur("export", "mnemonic", "--password-file", password.toString());
    assertThat(opened.exits(ExitCode.DONE).out()).contains("abandon about");
  }

  /** A command that gives out keys by another way must be tried above, too. */
  @Test
  void theseAreAllDoors() {
    Set<String> doors =
        StreamSupport.stream(MainCode.of("org.murmur.cli").spliterator(), false)
            .flatMap(type -> type.getAccessesFromSelf().stream())
            .filter(access -> access.getTargetOwner().isEquivalentTo(WalletKeys.class))
            .filter(access -> GIVES.contains(access.getTarget().getName()))
            .map(JavaAccess::getOriginOwner)
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertThat(doors).containsOnly("ExportCommand", "PasswdCommand");
  }
}
