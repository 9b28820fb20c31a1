package org.murmur.lab;

/**
 * Something that must hold, and whether it does.
 *
 * @param claim what must hold, as a sentence
 * @param holds whether it does
 * @param detail the numbers behind it
 */
public record Verdict(String claim, boolean holds, String detail) {}
