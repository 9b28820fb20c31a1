package org.murmur.regtest.node;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.murmur.bip37.tx.Tx;
import org.murmur.p2p.internal.wire.Message;
import org.murmur.regtest.chain.Chain;
import org.murmur.regtest.chain.Dice;
import org.murmur.regtest.chain.FilterIndex;

/** The masks of a behaviour on one connection, the first one nearest to the session. */
final class Masks implements Mask {

  private final Behaviour behaviour;
  private final List<Mask> all;

  Masks(Behaviour behaviour, Chain chain) {
    this.behaviour = behaviour;
    this.all =
        behaviour.lies().stream().map(told -> told.lie().mask(chain, behaviour.seed())).toList();
  }

  @Override
  public @Nullable Message hears(Message message) {
    Message heard = message;
    for (int i = 0; i < all.size() && heard != null; i++) {
      heard = all.get(i).hears(heard);
    }
    return heard;
  }

  @Override
  public List<Message> answers(Message message) {
    List<Message> answers = new ArrayList<>();
    all.forEach(mask -> answers.addAll(mask.answers(message)));
    return answers;
  }

  @Override
  public FilteredBlock serves(FilteredBlock block) {
    FilteredBlock served = block;
    for (int i = 0; i < all.size(); i++) {
      double share = behaviour.lies().get(i).share();
      if (share >= 1 || Dice.share(behaviour.seed(), block.hash()) < share) {
        served = all.get(i).serves(served);
      }
    }
    return served;
  }

  @Override
  public FilterIndex filters(FilterIndex index) {
    FilterIndex served = index;
    for (Mask mask : all) {
      served = mask.filters(served);
    }
    return served;
  }

  @Override
  public boolean shows(Tx tx) {
    return all.stream().allMatch(mask -> mask.shows(tx));
  }

  @Override
  public List<Message> says(Message message) {
    List<Message> said = List.of(message);
    for (Mask mask : all) {
      List<Message> next = new ArrayList<>();
      said.forEach(one -> next.addAll(mask.says(one)));
      said = next;
    }
    return said;
  }

  @Override
  public long due() {
    return all.stream().mapToLong(Mask::due).min().orElse(Long.MAX_VALUE);
  }

  @Override
  public List<Message> speaks(long now) {
    List<Message> spoken = new ArrayList<>();
    for (Mask mask : all) {
      if (mask.due() <= now) {
        spoken.addAll(mask.speaks(now));
      }
    }
    return spoken;
  }
}
