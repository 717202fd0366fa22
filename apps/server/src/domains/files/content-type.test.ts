import { describe, expect, test } from 'vitest'
import { archive } from '../../kit/archive-for-test.ts'
import { contentKind, documentKind, hasMacros, isInline } from './content-type.ts'

const latin = (text: string) => Buffer.from(text.padEnd(64, ' '), 'latin1')
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(64)])

describe('what could run in a browser or on a desk is refused, whatever its name', () => {
  test.each([
    ['a drawing with a script', 'plan.svg', latin('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a page', 'paper.pdf', latin('<!doctype html><script>alert(1)</script>')],
    ['a page behind blanks', 'paper.pdf', latin('\n\n  <html>')],
    ['a PDF that does not begin as one', 'paper.pdf', latin('<html>%PDF-1.7')],
    ['a program', 'drawing.dwg', latin('MZ\x90\x00 this program')],
    ['a script', 'list.zip', latin('#!/bin/sh\nrm -rf /')],
    ['a picture that is a page', 'photo.gif', latin('GIF89a/*<svg/onload=alert(1)>*/=1;')],
    ['a setup package with the frame of old documents', 'setup.msi', ole],
  ])('%s', (_, name, body) => {
    expect(contentKind(body)).toBeUndefined()
    expect(documentKind(body, name)).toBeUndefined()
  })
})

test.each([
  ['drawing.dwg', latin('AC1032 drawing'), 'dwg'],
  ['film.mp4', Buffer.concat([Buffer.from([0, 0, 0, 32]), latin('ftypisom')]), 'mp4'],
  ['files.zip', Buffer.concat([Buffer.from('504b0304', 'hex'), latin('a.txt')]), 'zip'],
  ['letter.doc', ole, 'doc'],
])('%s is stored, and handed out to be saved', (name, body, extension) => {
  const kind = documentKind(body, name)
  expect(kind?.extension).toBe(extension)
  expect(isInline(kind?.mime ?? '')).toBe(false)
})

const sound = (...parts: string[]) => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), latin(parts.join(' '))])
const mp4 = (...parts: string[]) => Buffer.concat([Buffer.from([0, 0, 0, 32]), latin(`ftypiso5 ${parts.join(' ')}`)])
test.each([
  ['a recording', sound('webm', 'A_OPUS'), 'audio/webm'],
  ['a film with sound', sound('webm', 'A_OPUS', 'V_VP8'), undefined],
  ['a Matroska file', sound('matroska', 'A_OPUS'), undefined],
  ['a recording of a Safari', mp4('soun'), 'audio/mp4'],
  ['a film of a Safari', mp4('soun', 'vide'), undefined],
])('%s is told from films by its tracks', (_, body, mime) => {
  expect(contentKind(body)?.mime).toBe(mime)
})

test('macros are found by the parts that an Office document names in its directory', () => {
  const parts = ['[Content_Types].xml', 'word/document.xml'].map((name) => ({ name, data: '' }))
  const plain = archive(parts)
  const kind = contentKind(plain)
  expect(kind?.extension).toBe('docx')
  const mime = kind?.mime ?? ''
  const armed = archive([...parts, { name: 'word/vbaProject.bin', data: '' }])
  expect([hasMacros({ mime }, armed), hasMacros({ mime }, plain)]).toEqual([true, false])
  expect(hasMacros({ mime: 'application/zip' }, armed)).toBe(false)
})
