package org.murmur.lab.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReproductionTest {

  @Test
  void gervaisComesOutAsPublished() {
    Reproduction gervais = Reproduction.gervais();
    assertThat(gervais.lines()).allMatch(line -> line.agreement() != Reproduction.Agreement.FAIL);
    assertThat(gervais.passed()).isTrue();
    assertThat(gervais.lines().get(0).ours()).isEqualTo("0.990282");
    assertThat(gervais.lines().get(1).ours()).isEqualTo("0.795121");
  }

  @Test
  void nickComesOutAsPublished() {
    Reproduction nick = Reproduction.nick(1);
    assertThat(nick.lines()).allMatch(line -> line.agreement() != Reproduction.Agreement.FAIL);
    assertThat(nick.lines())
        .filteredOn(line -> line.agreement() == Reproduction.Agreement.PASS)
        .hasSize(5);
  }

  @Test
  void aFigureThatIsNotTheirsFails() {
    Reproduction.Line wrong = new Reproduction.Line("x", "1", "2", Reproduction.Agreement.FAIL, "");
    assertThat(new Reproduction("work", java.util.List.of(wrong)).passed()).isFalse();
  }
}
