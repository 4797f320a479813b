"""The kinds of specs, and how each is written."""

from typing import Literal

Kind = Literal["ollama", "llamacpp", "gguf", "openai", "langchain", "community", "standin"]

LLAMACPP_URL = "http://127.0.0.1:8080"
"""Where llama.cpp's server listens unless told otherwise."""

FORMS: dict[str, str] = {
    "ollama": "ollama:<name>",
    "llamacpp": "llamacpp:<url>",
    "gguf": "gguf:<path/to/model.gguf>",
    "openai": "openai:<url>#<name>",
    "langchain": "langchain:<provider>/<model>",
    "community": "community:<ClassName>?<key>=<value>",
    "standin": "standin",
}
"""Every kind of spec, and how it is written."""

WAYS = f"{', '.join(list(FORMS.values())[:-1])} or standin"

PROVIDERS = (
    "openai",
    "azure_openai",
    "anthropic",
    "google_genai",
    "mistralai",
    "groq",
    "deepseek",
    "bedrock",
)
"""Names that people write in front of a hosted model; used for a hint only."""

OTHER_NAMES = {"vllm": "openai", "lmstudio": "openai", "lm-studio": "openai", "mlx": "community"}
"""What people write for a kind, too far from its name to be taken for a slip of the pen."""
