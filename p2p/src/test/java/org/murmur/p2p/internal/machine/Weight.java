package org.murmur.p2p.internal.machine;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * About how many bytes an object keeps alive: all our objects that can be reached from it, and the
 * collections in between. Generous with collections, so that a limit that holds here holds.
 */
final class Weight {

  private static final int OBJECT = 16;
  private static final int REFERENCE = 8;
  private static final int ENTRY = 64;

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayDeque<Object> next = new ArrayDeque<>();
  private final Set<Object> leftOut = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;

  private Weight() {}

  /**
   * Weighs.
   *
   * @param root where to begin
   * @param without shared objects, neither counted nor followed
   */
  static long of(Object root, Object... without) {
    Weight weight = new Weight();
    Collections.addAll(weight.leftOut, without);
    weight.add(root);
    while (!weight.next.isEmpty()) {
      weight.look(weight.next.remove());
    }
    return weight.bytes;
  }

  private void add(@Nullable Object object) {
    if (object != null && !leftOut.contains(object) && seen.add(object)) {
      next.add(object);
    }
  }

  private void look(Object object) {
    Class<?> type = object.getClass();
    bytes += OBJECT;
    if (type.isArray()) {
      array(object, type.getComponentType());
    } else if (object instanceof Map<?, ?> map) {
      bytes += (long) ENTRY * map.size();
      map.forEach(
          (key, value) -> {
            add(key);
            add(value);
          });
    } else if (object instanceof Collection<?> collection) {
      bytes += (long) ENTRY * collection.size();
      collection.forEach(this::add);
    } else if (type.getName().startsWith("org.murmur.") && !type.isEnum()) {
      for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
        fields(object, c);
      }
    } else {
      // A number, a string, a moment.
      bytes += 2 * OBJECT;
    }
  }

  private void array(Object array, Class<?> component) {
    int length = Array.getLength(array);
    bytes += (long) length * (component == byte.class ? 1 : REFERENCE);
    if (!component.isPrimitive()) {
      for (int i = 0; i < length; i++) {
        add(Array.get(array, i));
      }
    }
  }

  private void fields(Object object, Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        continue;
      }
      bytes += REFERENCE;
      if (!field.getType().isPrimitive()) {
        try {
          field.setAccessible(true);
          add(field.get(object));
        } catch (IllegalAccessException e) {
          throw new AssertionError("it was made accessible", e);
        }
      }
    }
  }
}
