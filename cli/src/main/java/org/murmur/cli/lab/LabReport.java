package org.murmur.cli.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.murmur.cli.terminal.Action;
import org.murmur.cli.terminal.ForceOption;
import org.murmur.cli.terminal.OutputFile;
import org.murmur.cli.terminal.Surroundings;
import org.murmur.cli.words.ExitCode;
import org.murmur.cli.words.Failure;
import org.murmur.cli.words.JsonObject;
import org.murmur.lab.ClaimVerdict;
import org.murmur.lab.CodeVersion;
import org.murmur.lab.Journal;
import org.murmur.lab.ResultFiles;
import org.murmur.lab.Shard;
import org.murmur.lab.Study;
import org.murmur.lab.StudyKind;
import org.murmur.lab.StudyResult;
import org.murmur.lab.report.Catalogue;
import org.murmur.lab.report.HtmlReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "report",
    description = "Run all experiments and write one HTML page.",
    footer = {
      "DIR/report.html is self-contained and explains BIP37; DIR/NAME.json has the rows of each",
      "study. With FILEs nothing is run: they are the JSON of earlier runs and merges.",
      "Examples:",
      "  murmur lab report                        # some minutes; report/report.html",
      "  murmur lab report --small --out /tmp/r   # a first look",
      "  murmur lab report fp.json families.json"
    })
final class LabReport extends Action {

  private static final String PAGE = "report.html";

  @picocli.CommandLine.Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Results to show.")
  private List<Path> files = new ArrayList<>();

  @Mixin private final LabRun how = new LabRun();

  @Option(
      names = "--resume",
      description = "Go on with a report that was interrupted or killed. Repeat its options.")
  private boolean resume;

  @Option(names = "--out", paramLabel = "DIR", description = "Output folder (default: report).")
  private String out = "report";

  @Mixin private ForceOption force = new ForceOption();

  @Override
  protected ExitCode run() throws IOException, InterruptedException {
    how.check();
    System.setProperty("java.awt.headless", "true");
    Path folder = LabOutput.folder(out);
    if (resume && !files.isEmpty()) {
      throw Failure.usage("--resume runs experiments; with FILEs none are run");
    }
    LabOutput.prepare(folder);
    page(folder).check();
    if (files.isEmpty()) {
      for (StudyKind kind : Catalogue.all()) {
        json(folder, kind.name()).check();
      }
    }
    AtomicBoolean enough = new AtomicBoolean();
    Surroundings.Registration registration =
        surroundings().interrupts().onInterrupt(() -> enough.set(true));
    try {
      HtmlReport report = files.isEmpty() ? ran(folder, enough) : read();
      if (enough.get()) {
        note(
            "interrupted: the same command with --resume goes on; `murmur lab report "
                + folder
                + "/*.json` makes a page of what was measured");
        return ExitCode.INTERRUPTED;
      }
      page(folder).write(report.page());
      return tell(folder.resolve(PAGE), report.verdicts(), report.incompleteStudies());
    } finally {
      registration.end();
    }
  }

  private OutputFile page(Path folder) {
    return new OutputFile(folder.resolve(PAGE), OutputFile.Kind.REPORT, force.given());
  }

  private OutputFile json(Path folder, String study) {
    return new OutputFile(folder.resolve(study + ".json"), OutputFile.Kind.RESULT, force.given());
  }

  private HtmlReport ran(Path folder, AtomicBoolean enough)
      throws IOException, InterruptedException {
    HtmlReport report = new HtmlReport();
    for (StudyKind kind : Catalogue.all()) {
      if (enough.get()) {
        break;
      }
      Study study = kind.with(how.seeded(how.defaults(kind)));
      StudyResult result = resume ? finished(folder, study) : null;
      if (result == null) {
        result = observe(folder, study, enough);
      }
      json(folder, study.name()).write(ResultFiles.toJson(result, result.conclude(study)));
      if (result.complete()) {
        Files.deleteIfExists(LabOutput.journalFile(folder, study));
      }
      report.add(study, result);
    }
    return report;
  }

  /**
   * A study that an earlier run finished, with the same parameters and code; null if there is none.
   */
  private static @Nullable StudyResult finished(Path folder, Study study) throws IOException {
    Path file = folder.resolve(study.name() + ".json");
    if (!Files.exists(file) || Journal.holdsTrials(LabOutput.journalFile(folder, study))) {
      return null;
    }
    StudyResult result = LabMerge.read(file);
    boolean same =
        result.complete()
            && result.parameters().equals(study.parameters())
            && result.codeVersion().equals(CodeVersion.ofThis());
    return same ? result : null;
  }

  private StudyResult observe(Path folder, Study study, AtomicBoolean enough)
      throws IOException, InterruptedException {
    output().detail("lab " + study.name());
    try (Journal journal = LabOutput.journal(folder, study, Shard.WHOLE, resume)) {
      return how.run(this, study, study.name() + " ", Shard.WHOLE, enough, journal);
    }
  }

  private HtmlReport read() throws IOException {
    HtmlReport report = new HtmlReport();
    for (Path file : files) {
      StudyResult result = LabMerge.read(file);
      report.add(LabMerge.studyOf(result), result);
    }
    return report;
  }

  private ExitCode tell(Path page, List<ClaimVerdict> verdicts, List<String> incomplete) {
    List<ClaimVerdict> failed = verdicts.stream().filter(ClaimVerdict::failed).toList();
    long few =
        verdicts.stream().filter(one -> one.outcome() == ClaimVerdict.Outcome.TOO_FEW).count();
    result(
        new JsonObject()
            .put("report", page.toString())
            .put("claims", verdicts.size())
            .put("failed", failed.size())
            .put("too_few", few)
            .put("incomplete", incomplete)
            .put("failed_claims", failed.stream().map(ClaimVerdict::claim).toList()),
        to -> {
          if (!incomplete.isEmpty()) {
            to.println("INCOMPLETE: " + String.join(", ", incomplete));
          }
          to.println("report   " + page);
          to.printf(
              Locale.ROOT,
              "claims   %d: %d hold, %d failed, of %d too little was measured%n",
              verdicts.size(),
              verdicts.size() - failed.size() - few,
              failed.size(),
              few);
          failed.forEach(one -> to.println("FAIL     " + one.claim() + ": " + one.detail()));
        });
    return failed.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }
}
