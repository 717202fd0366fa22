import { Button, InputNumber } from 'antd'

type Corner = [number, number]

interface DrawnCornersProps {
  value: readonly Corner[]
  onChange: ((corners: Corner[]) => void) | undefined
  /** Labels of a corner's two numbers: 角点 1 X, 第 1 点经度. */
  nameOf: (no: number) => readonly [string, string]
  precision?: number
  /** Position of a corner added by button; without it corners can only be drawn. */
  next?: () => Corner
}

/** The corners of a drawing as numeric inputs, for surveyed values and keyboard users. */
export function DrawnCorners({ value, onChange, nameOf, precision, next }: DrawnCornersProps) {
  const put = (at: number, axis: 0 | 1, n: number) =>
    onChange?.(value.map((one, i): Corner => (i !== at ? one : axis === 0 ? [n, one[1]] : [one[0], n])))
  return (
    <>
      <ol>
        {value.map((corner, i) => {
          const names = nameOf(i + 1)
          return (
            <li key={`${i}`}>
              {([0, 1] as const).map((axis) => (
                <InputNumber
                  key={axis}
                  aria-label={names[axis]}
                  controls={false}
                  {...(precision === undefined ? {} : { precision })}
                  value={corner[axis]}
                  onChange={(n) => n !== null && put(i, axis, n)}
                />
              ))}
              <button
                type="button"
                className="zg-bare zg-link"
                aria-label={`删除第 ${i + 1} 点`}
                onClick={() => onChange?.(value.filter((_, n) => n !== i))}
              >
                删除
              </button>
            </li>
          )
        })}
      </ol>
      {next && <Button onClick={() => onChange?.([...value, next()])}>加一个角点</Button>}{' '}
      {value.length > 0 && <Button onClick={() => onChange?.([])}>重画</Button>}
    </>
  )
}
