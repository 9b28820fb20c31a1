package org.murmur.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class TableTest {

  private static Table.Builder table() {
    return Table.of("t", "T", Column.whole("n", ""), Column.number("rate", "1"));
  }

  @Test
  void keepsValuesByTheirColumns() {
    Table.Row row = table().row(3, 0.5).build().rows().get(0);
    assertThat(row.whole("n")).isEqualTo(3);
    assertThat(row.number("n")).isEqualTo(3.0);
    assertThat(row.number("rate")).isEqualTo(0.5);
    Table.Row unknown = table().row(3, null).build().rows().get(0);
    assertThat(unknown.value("rate")).isNull();
    assertThatThrownBy(() -> unknown.number("rate")).hasMessageContaining("rate is not known");
    assertThatThrownBy(() -> row.value("x")).hasMessageContaining("no column x");
  }

  @Test
  void refusesValuesOfAnotherKindThanTheColumns() {
    assertThatThrownBy(() -> table().row(3)).hasMessageContaining("expected 2");
    assertThatThrownBy(() -> table().row("3", 0.5))
        .hasMessageContaining("n 3 (String), expected WHOLE");
    assertThatThrownBy(() -> table().row(3.5, 0.5)).hasMessageContaining("expected WHOLE");
    assertThatThrownBy(() -> table().row(3, Double.NaN)).hasMessageContaining("expected NUMBER");
    assertThatThrownBy(() -> Column.text("Bad name")).hasMessageContaining("expected [a-z]");
  }

  @Test
  void showsNumbersAsPeopleReadThem() {
    assertThat(Table.shown(null)).isEqualTo("-");
    assertThat(Table.shown(true)).isEqualTo("yes");
    assertThat(Table.shown(1234567L)).isEqualTo("1234567");
    assertThat(Table.shown(0.0)).isEqualTo("0");
    assertThat(Table.shown(1.4676e-4)).isEqualTo("0.0001468");
    assertThat(Table.shown(1e-4)).isEqualTo("0.0001");
    assertThat(Table.shown(-2.13e-8)).isEqualTo("-2.13e-8");
    assertThat(Table.shown(1e10)).isEqualTo("1e10");
    assertThat(Table.shown(0.5)).isEqualTo("0.5");
    assertThat(Table.shown(14.0)).isEqualTo("14");
    assertThat(Table.shown(999.96)).isEqualTo("1000");
    assertThat(Table.shown(123456.7)).isEqualTo("123457");
  }

  /** CSV has all digits, and no programmer's notation. */
  @Test
  void writesNumbersAsPeopleWriteThemAndReadsTheSameBack() {
    assertThat(Table.exact(1e-4)).isEqualTo("0.0001");
    assertThat(Table.exact(14.0)).isEqualTo("14");
    assertThat(Table.exact(-0.0)).isEqualTo("0");
    assertThat(Table.exact(2.66e-8)).isEqualTo("2.66e-8");
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      double number = random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20);
      assertThat(Double.parseDouble(Table.exact(number))).as("seed %d", seed).isEqualTo(number);
      assertThat(Table.exact(number)).doesNotContain("E").doesNotEndWith(".0");
    }
  }

  @Test
  void readsShards() {
    assertThat(Shard.parse("2/3")).isEqualTo(new Shard(2, 3)).hasToString("2/3");
    for (String wrong : new String[] {"0/2", "3/2", "x", "1/2/3", "1/", "-1/2"}) {
      assertThatThrownBy(() -> Shard.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected");
    }
  }

  @Test
  void readsParameters() {
    Parameters parameters = Parameters.of(-1, 5).with("rates", "1e-3,0.5").with("name", "x");
    assertThat(parameters.seed()).isEqualTo(-1);
    assertThat(parameters.numbers("rates")).containsExactly(1e-3, 0.5);
    assertThat(parameters.with("rates", 1).toString()).isEqualTo("seed=-1 trials=5 rates=1 name=x");
    assertThatThrownBy(() -> parameters.number("name")).hasMessage("name 'x', expected a number");
    assertThatThrownBy(() -> parameters.wholes("rates")).hasMessageContaining("whole number");
    assertThatThrownBy(() -> parameters.text("y")).hasMessage("y is missing");
    assertThatThrownBy(() -> parameters.with("trials", 0).trials())
        .hasMessageContaining("trials 0");
    assertThatThrownBy(() -> parameters.with("rates", "Infinity").number("rates"))
        .hasMessageContaining("finite");
  }
}
