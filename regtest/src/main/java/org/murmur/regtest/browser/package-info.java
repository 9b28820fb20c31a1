/** A real browser without a screen, for tests that open a page. */
@NullMarked
package org.murmur.regtest.browser;

import org.jspecify.annotations.NullMarked;
