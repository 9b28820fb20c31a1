package org.murmur.regtest.lies;

import java.util.Set;
import org.murmur.bip37.bytes.Bytes;
import org.murmur.regtest.chain.Dice;

/** Adds scripts to every compact filter that its block does not contain. */
public record AddsJunk(int count) implements FalseScripts {

  @Override
  public void change(Set<Bytes> scripts, Set<Bytes> paid, Dice dice) {
    for (int i = 0; i < count; i++) {
      scripts.add(dice.bytes(22));
    }
  }
}
