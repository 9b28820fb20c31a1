package org.murmur.lab;

import java.util.List;
import org.murmur.regtest.chain.Dice;

/** A study that throws dice. */
final class Toy extends Experiment {

  private final Parameters parameters;

  Toy(Parameters parameters, String name) {
    super(name, parameters.trials(), "whole eyes, number share (1), text word, flag even");
    this.parameters = parameters;
  }

  static Study study(long seed, int trials) {
    Parameters parameters = Parameters.of(seed, trials).with("sides", 6);
    return new Study(
        "toy",
        "Dice",
        List.of("Dice are thrown."),
        parameters,
        List.of(new Toy(parameters, "one"), new Toy(parameters, "two")));
  }

  @Override
  public void observe(Trial trial, Rows rows) {
    Dice dice = trial.dice();
    for (int i = 0; i < trial.number() % 3; i++) {
      int eyes = 1 + dice.below(parameters.count("sides"));
      rows.add(eyes, dice.fraction() / 3, i == 1 ? "a \"second\", row" : null, eyes % 2 == 0);
    }
  }

  @Override
  public Section conclude(Table observed) {
    double sum = observed.rows().stream().mapToLong(row -> row.whole("eyes")).sum();
    Table table =
        Table.of("mean", "Mean", Column.number("mean", ""))
            .row(sum / observed.rows().size())
            .build();
    return new Section(name(), List.of("What dice show."), List.of(table), List.of(), List.of());
  }
}
