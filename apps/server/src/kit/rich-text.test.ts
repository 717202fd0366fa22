import { expect, test } from 'vitest'
import { richText } from './rich-text.ts'

test.each([
  ['<p onclick="x()">甲<script>alert(1)</script></p>', '<p>甲</p>'],
  ['<img src=x onerror=alert(1)>乙', '乙'],
  ['<svg><a xlink:href="javascript:alert(1)">丙</a></svg>', ''],
  ['<a href="javascript:alert(1)">丁</a>', '<a rel="noopener noreferrer nofollow" target="_blank">丁</a>'],
  ['<a href="java&#10;script:alert(1)">戊</a>', '<a rel="noopener noreferrer nofollow" target="_blank">戊</a>'],
  ['<a href="data:text/html,<script>1</script>">己</a>', '<a rel="noopener noreferrer nofollow" target="_blank">己</a>'],
  ['<iframe src="https://x"></iframe><style>p{}</style><form><input name=a>庚</form>', '庚'],
  ['<p style="position:fixed;inset:0">辛</p>', '<p>辛</p>'],
  ['<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>壬', '壬'],
  ['<<script>alert(1)</script>p>癸', '&lt;p&gt;癸'],
])('%s', (dirty, clean) => {
  expect(richText(dirty).html).toBe(clean)
})

test('headings, tables and links of pasted documents stay', () => {
  const pasted =
    '<h2 class="MsoTitle">第一章</h2><table border=1><tr><td colspan="2" width=90><span lang="ZH-CN">甲</span></td></tr></table><a href="https://example.com/a?b=1&c=2">链接</a>'
  const { html, text } = richText(pasted)
  expect(html).toContain('<h2>第一章</h2>')
  expect(html).toContain('<td colspan="2">甲</td>')
  expect(html).toContain('href="https://example.com/a?b=1&amp;c=2"')
  expect(text).toBe('第一章\n甲\n链接')
})

test('text of paragraphs stands on lines, with its signs', () => {
  expect(richText('<p>a &lt; b &amp; c</p><p>d<br>e</p>').text).toBe('a < b & c\nd\ne')
})

test('filtering filtered text changes nothing', () => {
  const once = richText('<p>甲 & 乙 <b>丙</b></p><ul><li>丁</li></ul>').html
  expect(richText(once).html).toBe(once)
})
