import { expect, test } from 'vitest'
import { endOfLink, watchExpiredLinks } from './expired-links.ts'

const link = (expires: number) => `/api/v1/tool/image?id=f&expires=${expires}&sign=ab`

/** Stand-in for page elements; without a document, their events are dispatched on themselves. */
class Piece extends EventTarget {
  readonly tagName: string
  private readonly address: string
  constructor(tagName: string, address: string) {
    super()
    this.tagName = tagName
    this.address = address
  }
  getAttribute() {
    return this.address
  }
  closest() {
    return this.tagName === 'A' ? this : null
  }
}

test('when a link ends', () => {
  expect([link(5), 'https://site.example/logo.png?expires=3', ''].map(endOfLink)).toEqual([5, undefined, undefined])
})

test('a picture or a link that has ended has the page asked anew, once for many', () => {
  let now = 100_000
  let requests = 0
  const watched = (piece: Piece) => {
    watchExpiredLinks(
      piece,
      () => requests++,
      () => now,
    )
    return piece
  }
  const meets = (piece: Piece, name: string) => piece.dispatchEvent(new Event(name, { cancelable: true }))
  meets(watched(new Piece('IMG', link(now + 1))), 'error')
  meets(watched(new Piece('IMG', '/logo.svg')), 'error')
  expect(requests).toBe(0)
  const old = watched(new Piece('IMG', link(now - 1)))
  for (let i = 0; i < 20; i++) meets(old, 'error')
  expect(requests).toBe(1)
  now += 5_000
  meets(old, 'error')
  expect(requests).toBe(2)
  expect(meets(watched(new Piece('A', link(now + 1))), 'click')).toBe(true)
  expect(meets(watched(new Piece('A', link(now - 1))), 'click'), 'not followed').toBe(false)
  expect(requests).toBe(3)
})
