import { TableKit } from '@tiptap/extension-table'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { Button } from 'antd'
import { useEffect, useRef } from 'react'
import type { Control } from './control.ts'
import './rich-text.css'

const marks: readonly { label: string; title: string; is: (editor: Editor) => boolean; run: (editor: Editor) => void }[] = [
  {
    label: '标题',
    title: '标题',
    is: (e) => e.isActive('heading', { level: 2 }),
    run: (e) => e.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    label: '小标题',
    title: '小标题',
    is: (e) => e.isActive('heading', { level: 3 }),
    run: (e) => e.chain().focus().toggleHeading({ level: 3 }).run(),
  },
  { label: '加粗', title: '加粗（Ctrl+B）', is: (e) => e.isActive('bold'), run: (e) => e.chain().focus().toggleBold().run() },
  { label: '编号', title: '编号列表', is: (e) => e.isActive('orderedList'), run: (e) => e.chain().focus().toggleOrderedList().run() },
  { label: '列表', title: '项目列表', is: (e) => e.isActive('bulletList'), run: (e) => e.chain().focus().toggleBulletList().run() },
  {
    label: '表格',
    title: '插入三行三列的表格',
    is: (e) => e.isActive('table'),
    run: (e) => e.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
  },
]
const ofTable: readonly { label: string; run: (editor: Editor) => void }[] = [
  { label: '加一行', run: (e) => e.chain().focus().addRowAfter().run() },
  { label: '加一列', run: (e) => e.chain().focus().addColumnAfter().run() },
  { label: '删除行', run: (e) => e.chain().focus().deleteRow().run() },
  { label: '删除列', run: (e) => e.chain().focus().deleteColumn().run() },
  { label: '删除表格', run: (e) => e.chain().focus().deleteTable().run() },
]

/** A text with headings, lists and tables; the value is HTML, which the server filters. What is pasted from a document keeps these. */
export function RichEditor({ id, value, onChange, label }: Control<string> & { label: string }) {
  const latest = useRef(onChange)
  latest.current = onChange
  const editor = useEditor({
    extensions: [StarterKit.configure({ codeBlock: false, code: false, link: { openOnClick: false } }), TableKit],
    content: value ?? '',
    editorProps: { attributes: { 'aria-label': label, 'aria-multiline': 'true', role: 'textbox', ...(id ? { id } : {}) } },
    onUpdate: ({ editor: now }) => latest.current?.(now.isEmpty ? '' : now.getHTML()),
  })
  // A value from outside: a loaded record, or a form that was reset.
  useEffect(() => {
    if (editor && (value ?? '') !== (editor.isEmpty ? '' : editor.getHTML())) editor.commands.setContent(value ?? '', { emitUpdate: false })
  }, [editor, value])
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => ({ marks: marks.map((one) => (now ? one.is(now) : false)), table: now?.isActive('table') ?? false }),
  })
  return (
    <div className="zg-rich">
      <div className="zg-rich-bar" role="toolbar" aria-label={`${label}的格式`}>
        {marks.map(({ label: name, title, run }, i) => (
          <Button
            key={name}
            size="small"
            type={active?.marks[i] ? 'primary' : 'text'}
            title={title}
            aria-pressed={active?.marks[i] ?? false}
            onClick={() => editor && run(editor)}
          >
            {name}
          </Button>
        ))}
        {active?.table &&
          ofTable.map(({ label: name, run }) => (
            <Button key={name} size="small" type="text" onClick={() => editor && run(editor)}>
              {name}
            </Button>
          ))}
      </div>
      <EditorContent editor={editor} className="zg-rich-text" />
    </div>
  )
}
