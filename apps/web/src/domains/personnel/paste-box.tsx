import { Input } from 'antd'
import { useState } from 'react'
import { type ReadPerson, readPerson, readWords } from './reader-text.ts'

/** Input for the output of a card reader (text or JSON), a row of a table, or a chat message. */
export function PasteBox({ onRead }: { onRead: (read: ReadPerson) => void }) {
  const [text, setText] = useState('')
  const [read, setRead] = useState<ReadPerson>()
  const understand = (pasted: string) => {
    setText(pasted)
    if (!pasted.trim()) return setRead(undefined)
    const found = readPerson(pasted)
    setRead(found)
    if (Object.keys(found).length > 0) onRead(found)
  }
  const fields = read ? (Object.keys(read) as (keyof ReadPerson)[]) : []
  return (
    <div className="per-paste">
      <Input.TextArea
        rows={2}
        maxLength={20_000}
        value={text}
        aria-label="读卡或粘贴"
        placeholder="光标放在这里读卡，或粘贴读卡器数据、表格里的一行、聊天文字"
        onChange={(event) => understand(event.target.value)}
      />
      {read && (
        <div role="status" className={fields.length ? 'tone-fine' : 'tone-warning'}>
          {fields.length ? `已识别 ${fields.map((f) => readWords[f]).join('、')}` : '没有识别出姓名或有效的证件号码'}
        </div>
      )}
    </div>
  )
}
