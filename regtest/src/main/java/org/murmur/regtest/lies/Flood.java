package org.murmur.regtest.lies;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.node.Mask;

/** Speaks a thousand times a second while it has a filter. */
final class Flood implements Mask {

  private static final long INTERVAL = 1_000_000;

  private final Dice dice;
  private final Function<Dice, Message> drawn;
  private long next = Long.MIN_VALUE;
  private boolean filtered;

  Flood(long seed, Function<Dice, Message> drawn) {
    this.dice = new Dice(seed);
    this.drawn = drawn;
  }

  @Override
  public @Nullable Message hears(Message message) {
    filtered |= message instanceof Message.FilterLoad;
    filtered &= !(message instanceof Message.FilterClear);
    return message;
  }

  @Override
  public long due() {
    return filtered ? next : Long.MAX_VALUE;
  }

  @Override
  public List<Message> speaks(long now) {
    next = now + INTERVAL;
    return List.of(drawn.apply(dice));
  }
}
