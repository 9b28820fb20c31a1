/** The adversaries' conclusions from filters, and their scores. */
@NullMarked
package org.murmur.lab.privacy.adversaries;

import org.jspecify.annotations.NullMarked;
