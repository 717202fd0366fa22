import { PauseCircleOutlined, SoundOutlined } from '@ant-design/icons'
import { pointsOf } from '@zhugong/contract/briefings/templates'
import { Button } from 'antd'
import { useEffect, useState } from 'react'

const canSpeak = () => typeof window !== 'undefined' && 'speechSynthesis' in window

/** Reads the points aloud, where the browser can. */
export function SpeakButton({ content, large = false }: { content: string; large?: boolean }) {
  const [speaking, setSpeaking] = useState(false)
  useEffect(() => () => (canSpeak() ? window.speechSynthesis.cancel() : undefined), [])
  if (!canSpeak()) return null
  const stop = () => {
    window.speechSynthesis.cancel()
    setSpeaking(false)
  }
  const start = () => {
    window.speechSynthesis.cancel()
    const points = pointsOf(content)
    for (const [i, point] of points.entries()) {
      const words = new SpeechSynthesisUtterance(`第${i + 1}条，${point}`)
      words.lang = 'zh-CN'
      words.rate = 0.9
      if (i === points.length - 1) words.onend = () => setSpeaking(false)
      window.speechSynthesis.speak(words)
    }
    setSpeaking(points.length > 0)
  }
  return (
    <Button
      size={large ? 'large' : 'middle'}
      icon={speaking ? <PauseCircleOutlined /> : <SoundOutlined />}
      onClick={speaking ? stop : start}
    >
      {speaking ? '停止播报' : '语音播报'}
    </Button>
  )
}

/** The content as points. */
export function Points({ content }: { content: string }) {
  return (
    <ol className="briefing-points">
      {pointsOf(content).map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ol>
  )
}
